// An AWS credentials file on its way to the variables celld reads: through the shell of the node's
// container, run for real, and through the templates. Both must find what the file says.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { listAt, objectAt } from '../../src/core/json.ts';
import { CHART_MODES, CREDENTIALS_FILE } from '../support/chart-modes.ts';
import { type Outcome, renderChart, run } from '../support/helm.ts';
import { fleetContainer, one } from '../support/rendered.ts';

interface Keys {
  readonly id: string;
  readonly secret: string;
  readonly token?: string;
}

const ENV = 'PATH=/usr/bin:/bin';
let folder = '';
let command: readonly string[] = [];

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'celld-credentials-'));
  const objects = await renderChart({ values: CHART_MODES['s3-credentials-secret'] ?? {} });
  command = listAt(fleetContainer(objects), 'command').map(String);
});
after(() => rmSync(folder, { recursive: true }));

/** The container's command with `env` in celld's place, on a file of this text. */
function startNode(text: string, ...args: readonly string[]): Promise<Outcome> {
  const file = join(folder, 'credentials');
  writeFileSync(file, text);
  const [shell = '', ...rest] = command.map((word) => {
    if (word === '/var/run/secrets/aws/credentials') return file;
    return word === '/usr/local/bin/celld' ? '/usr/bin/env' : word;
  });
  return run(shell, [...rest, ...args], '', { PATH: '/usr/bin:/bin' });
}

/** What `env` prints for these keys, without what the shell adds. */
function printed(outcome: Outcome): readonly string[] {
  return outcome.stdout
    .split('\n')
    .filter((line) => line !== '' && line !== ENV && !/^(PWD|OLDPWD|SHLVL|_)=/u.test(line))
    .sort();
}

function variables({ id, secret, token }: Keys): readonly string[] {
  return [
    `AWS_ACCESS_KEY_ID=${id}`,
    `AWS_SECRET_ACCESS_KEY=${secret}`,
    ...(token === undefined ? [] : [`AWS_SESSION_TOKEN=${token}`]),
  ];
}

const key = fc.stringMatching(/^[A-Za-z0-9/+$`"'=\\!%&*?~-]{1,60}$/u);
const blank = fc.constantFrom('', ' ', '\t', '  ');
const noise = fc.constantFrom('', '# a comment', '; [default]', 'region = us-east-1', 'aws_x=1');

/** A credentials file and the keys it holds, written in one of the many ways people write them. */
const credentialsFile = fc
  .record({
    keys: fc.record({ id: key, secret: key, token: key }, { requiredKeys: ['id', 'secret'] }),
    other: key,
    space: blank,
    noise: fc.array(noise, { maxLength: 3 }),
    lineBreak: fc.constantFrom('\n', '\r\n'),
    first: fc.boolean(),
    ending: fc.boolean(),
  })
  .map(({ keys, other, space, noise, lineBreak, first, ending }) => {
    const { id, secret, token } = keys as Keys;
    const mine = [
      `[${space}default${space}]`,
      ...noise,
      `aws_access_key_id${space}=${space}${id}`,
      `${space}aws_secret_access_key =${secret}${space}`,
      ...(token === undefined ? [] : [`aws_session_token=${token}`]),
    ];
    const theirs = ['[other]', `aws_access_key_id = ${other}`, `aws_secret_access_key = ${other}`];
    const lines = first ? [...mine, ...theirs] : [...theirs, ...mine];
    return { keys: keys as Keys, text: lines.join(lineBreak) + (ending ? lineBreak : '') };
  });

describe('files/with-shared-credentials.sh', () => {
  it('exports the default profile and becomes the command, arguments included', async () => {
    const outcome = await startNode(
      CREDENTIALS_FILE,
      'A=b',
      '/bin/sh',
      '-c',
      'echo "$A $AWS_SESSION_TOKEN $0"',
      '--listen',
    );
    assert.deepEqual(outcome, {
      status: 0,
      stdout: 'b IQoJb3JpZ2luX2VjEXAMPLE== --listen\n',
      stderr: '',
    });
  });

  for (const { why, text } of [
    { why: 'no keys', text: '[default]\nregion = us-east-1\n' },
    { why: 'half of them', text: '[default]\naws_access_key_id = AKIA\n' },
    { why: 'those of another profile', text: CREDENTIALS_FILE.replace('default', 'other') },
    { why: 'nothing', text: '' },
  ]) {
    it(`stops with one line for a file with ${why}, and prints nothing of it`, async () => {
      const { status, stdout, stderr } = await startNode(text);
      const sentence = `error: ${join(folder, 'credentials')} needs aws_access_key_id and aws_secret_access_key under [default]\n`;
      assert.deepEqual([status, stdout, stderr], [1, '', sentence]);
    });
  }

  it('finds the keys of every file, whatever stands around them', async () => {
    await fc.assert(
      fc.asyncProperty(credentialsFile, async ({ keys, text }) => {
        const outcome = await startNode(text);
        assert.deepEqual([outcome.status, outcome.stderr], [0, '']);
        assert.deepEqual(printed(outcome), variables(keys));
      }),
      { numRuns: 40 },
    );
  });
});

describe('credentials.sharedCredentials', () => {
  it('becomes a Secret of the same variables', async () => {
    await fc.assert(
      fc.asyncProperty(credentialsFile, async ({ keys, text }) => {
        const values = { celld: { bucket: 's3://b' }, credentials: { sharedCredentials: text } };
        const secret = one(await renderChart({ values }), 'Secret');
        const data = Object.entries(objectAt(secret, 'data')).map(
          ([name, value]) => `${name}=${Buffer.from(String(value), 'base64').toString('utf8')}`,
        );
        assert.deepEqual(data.sort(), variables(keys));
      }),
      { numRuns: 8 },
    );
  });
});
