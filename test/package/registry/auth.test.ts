import assert from 'node:assert/strict';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { ProblemError } from '../../../src/core/problem.ts';
import { isPrivateHost, parseChallenge } from '../../../src/package/registry/auth.ts';
import { findCredentials } from '../../../src/package/registry/docker-config.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

describe('parseChallenge()', () => {
  it('reads what registries send', () => {
    assert.deepEqual(
      [
        'Bearer realm="https://ghcr.io/token",service="ghcr.io",scope="repository:a/b:pull"',
        'bearer realm="https://a.io/t?x=1,2", error="invalid_token"',
        'Basic realm="Registry Realm"',
        'Negotiate',
        null,
      ].map(parseChallenge),
      [
        {
          scheme: 'bearer',
          parameters: {
            realm: 'https://ghcr.io/token',
            service: 'ghcr.io',
            scope: 'repository:a/b:pull',
          },
        },
        { scheme: 'bearer', parameters: { realm: 'https://a.io/t?x=1,2', error: 'invalid_token' } },
        { scheme: 'basic', parameters: { realm: 'Registry Realm' } },
        undefined,
        undefined,
      ],
    );
  });
});

describe('isPrivateHost()', () => {
  it('is true for this machine and private networks alone', () => {
    const hosts = [
      'localhost',
      'localhost:5000',
      '127.0.0.1:5000',
      '[::1]:5000',
      'box.local',
      '10.1.2.3',
      '172.16.0.1',
      '172.31.9.9',
      '192.168.0.1:80',
    ];
    const others = [
      'ghcr.io',
      '172.32.0.1',
      '192.169.0.1',
      '11.0.0.1',
      '10.evil.example.com',
      'localhost.example.com',
      '10.0.0.1.example.com',
    ];
    assert.deepEqual(
      hosts.filter((host) => !isPrivateHost(host)),
      [],
    );
    assert.deepEqual(others.filter(isPrivateHost), []);
  });
});

describe('findCredentials()', () => {
  const auth = Buffer.from('me:a:b').toString('base64');
  const cases = [
    {
      why: 'a pair',
      config: { auths: { 'a.io': { auth } } },
      wanted: { kind: 'password', user: 'me', password: 'a:b' },
    },
    {
      why: 'a pair under an address',
      config: { auths: { 'https://a.io/v2/': { auth } } },
      wanted: { kind: 'password', user: 'me', password: 'a:b' },
    },
    {
      why: 'a token',
      config: { auths: { 'a.io': { auth, identitytoken: 't' } } },
      wanted: { kind: 'identity', token: 't' },
    },
    { why: 'another registry', config: { auths: { 'b.io': { auth } } }, wanted: undefined },
    { why: 'nothing', config: {}, wanted: undefined },
  ];
  for (const { why, config, wanted } of cases) {
    it(`reads ${why} from the Docker configuration`, async (test) => {
      const folder = temporaryFolder(test, { 'config.json': JSON.stringify(config) });
      assert.deepEqual(await findCredentials('a.io', join(folder, 'config.json')), wanted);
    });
  }

  it('has none where there is no file', async () => {
    assert.equal(await findCredentials('a.io', '/nowhere/config.json'), undefined);
  });

  it('asks the helper of a registry before the common one, and says when a helper fails', async (test) => {
    const folder = temporaryFolder(test, {
      'config.json': JSON.stringify({
        credsStore: 'common',
        credHelpers: { 'a.io': 'own', 'c.io': 'broken', 'd.io': 'absent' },
      }),
    });
    const helper = (name: string, text: string) => {
      const file = join(folder, `docker-credential-${name}`);
      writeFileSync(file, `#!/bin/sh\n${text}\n`);
      chmodSync(file, 0o755);
    };
    helper('own', 'read host; echo "{\\"Username\\":\\"<token>\\",\\"Secret\\":\\"$1 $host\\"}"');
    helper(
      'common',
      'read host; [ "$host" = b.io ] && echo \'{"Username":"u","Secret":"s"}\' && exit; echo credentials not found in native keychain; exit 1',
    );
    helper('broken', 'echo it is locked >&2; exit 1');
    const path = process.env['PATH'];
    process.env['PATH'] = `${folder}:${path}`;
    try {
      const find = (host: string) => findCredentials(host, join(folder, 'config.json'));
      assert.deepEqual(await find('a.io'), { kind: 'identity', token: 'get a.io' });
      assert.deepEqual(await find('b.io'), { kind: 'password', user: 'u', password: 's' });
      assert.equal(await find('e.io'), undefined);
      for (const host of ['c.io', 'd.io']) {
        await assert.rejects(
          find(host),
          (error) => error instanceof ProblemError && error.problems[0]?.code === 'REGISTRY_AUTH',
        );
      }
    } finally {
      process.env['PATH'] = path;
    }
  });

  it('refuses a file that is no configuration', async (test) => {
    const folder = temporaryFolder(test, { 'config.json': '[1' });
    await assert.rejects(
      findCredentials('a.io', join(folder, 'config.json')),
      (error) => error instanceof ProblemError && error.problems[0]?.code === 'REGISTRY_AUTH',
    );
  });
});
