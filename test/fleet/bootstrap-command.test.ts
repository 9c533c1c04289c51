// bootstrap as the container runs it: a process with an environment, an exit code and two streams.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { describe, it, type TestContext } from 'node:test';
import { projectFile } from '../../src/cli/project.ts';
import { authority } from '../support/certificates.ts';
import { freePorts } from '../support/free-ports.ts';
import { loopbackServer } from '../support/loopback-server.ts';
import { type S3Server, startS3Server } from '../support/s3-server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

interface Result {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Without any right to write: Node's permissions are those of a read-only root file system. */
const NODE = ['--no-warnings', '--experimental-permission', '--allow-fs-read=*'];

function run(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  { stopAt, node = NODE }: { readonly stopAt?: string; readonly node?: readonly string[] } = {},
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const program = [...node, projectFile('build', 'src', 'cli', 'start.js'), 'bootstrap'];
    const child = spawn(process.execPath, [...program, ...args], {
      env: { NO_COLOR: '1', ...env },
    });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk;
    });
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk;
      const stop = stopAt !== undefined && stderr.includes(stopAt);
      if (stop && !child.killed) child.kill('SIGTERM');
    });
    child.on('error', reject).on('close', (code) => resolve({ code, stdout, stderr }));
  });
}

const KEYS = { AWS_ACCESS_KEY_ID: 'AKTEST', AWS_SECRET_ACCESS_KEY: 'very-secret' };

const ACCOUNT = {
  bucket: 'fleet',
  accessKeyId: KEYS.AWS_ACCESS_KEY_ID,
  secretAccessKey: KEYS.AWS_SECRET_ACCESS_KEY,
};

async function store(test: TestContext): Promise<S3Server> {
  const server = await startS3Server(ACCOUNT);
  test.after(() => server.stop());
  return server;
}

describe('celld-stack bootstrap', { concurrency: true }, () => {
  it('prepares a store and writes no file', async (t) => {
    const server = await store(t);
    const env = { CELLD_BUCKET: 'fleet', S3_ENDPOINT: server.url, ...KEYS };
    assert.deepEqual(await run([], env), {
      code: 0,
      stdout: 'the fleet has no deployment yet\n',
      stderr: 'create-only and compare-and-swap writes hold\n',
    });
    assert.deepEqual(await run([], { ...env, CELLD_STACK_PLACEHOLDER: '1' }), {
      code: 0,
      stdout: 'the placeholder is deployed until an application is\n',
      stderr: 'create-only and compare-and-swap writes hold\n',
    });
    assert.deepEqual(await run([], { ...env, CELLD_STACK_PLACEHOLDER: '1' }), {
      code: 0,
      stdout: 'the fleet has a deployment, nothing was written\n',
      stderr:
        'deploy/current.json names version "f4c84e5ad87bd05e" of "placeholder": nothing to write\n',
    });
  });

  it('ends with one line and exit code 1 when the store stays away', async () => {
    const [port] = await freePorts(1);
    const { code, stdout, stderr } = await run(['--timeout', '1.5'], {
      CELLD_BUCKET: 'fleet/p',
      S3_ENDPOINT: `http://127.0.0.1:${port}`,
      ...KEYS,
    });
    assert.deepEqual([code, stdout], [1, '']);
    const lines = stderr.trimEnd().split('\n');
    assert.match(
      lines.at(-1) ?? '',
      /^error STORE_UNREACHABLE: s3:\/\/fleet\/p: http:\/\/127\.0\.0\.1:\d+: connection refused \(asked \d+ times in [\d.]+ s\)$/u,
    );
    assert.ok(lines.slice(0, -1).every((line) => /^s3:\/\/fleet\/p: waiting: /u.test(line)));
  });

  it('ends at once on SIGTERM, although it is the first process of its container', async () => {
    const [port] = await freePorts(1);
    const { code, stdout, stderr } = await run(
      [],
      { CELLD_BUCKET: 'fleet', S3_ENDPOINT: `http://127.0.0.1:${port}`, ...KEYS },
      { stopAt: 'waiting: ' },
    );
    assert.deepEqual([code, stdout], [1, '']);
    assert.equal(
      stderr.trimEnd().split('\n').at(-1),
      'error STORE_UNREACHABLE: s3://fleet: told to stop before the store had answered',
    );
  });

  it('names the variable that is missing', async () => {
    assert.deepEqual(await run([], {}), {
      code: 1,
      stdout: '',
      stderr: 'error STORE_SETTINGS: CELLD_BUCKET: required value: the bucket of the fleet\n',
    });
  });

  it('takes seconds only', async () => {
    const { code, stderr } = await run(['--timeout', '5m'], { CELLD_BUCKET: 'fleet' });
    assert.equal(code, 2);
    assert.equal(stderr, 'error USAGE: --timeout is "5m": expected seconds, such as 300\n');
  });

  it('trusts the authorities of SSL_CERT_FILE, and says what to do without', async (t) => {
    const own = authority('own');
    const server = await startS3Server({ ...ACCOUNT, identity: own.issue('store') });
    t.after(() => server.stop());
    const env = { CELLD_BUCKET: 'fleet', S3_ENDPOINT: server.url, ...KEYS };
    const { code, stderr } = await run([], env);
    assert.equal(code, 1);
    assert.equal(
      stderr,
      `error STORE_ENDPOINT: s3://fleet: ${server.url}: its certificate is not trusted (UNABLE_TO_VERIFY_LEAF_SIGNATURE)\n  hint: mount the certificate of the authority and set SSL_CERT_FILE to its path\n`,
    );
    const folder = temporaryFolder(t, { 'ca.pem': own.certificate });
    const trusting = { ...env, SSL_CERT_FILE: `${folder}/ca.pem` };
    // Starting itself again is what Node's permissions would forbid.
    assert.deepEqual(await run([], trusting, { node: ['--no-warnings'] }), {
      code: 0,
      stdout: 'the fleet has no deployment yet\n',
      stderr: 'create-only and compare-and-swap writes hold\n',
    });
  });

  it('goes through the proxy of the environment, unless NO_PROXY names the store', async (t) => {
    const server = await store(t);
    const seen: string[] = [];
    const proxy = await loopbackServer(t, ({ method, path }) => {
      seen.push(`${method} ${path.replace(/\?.*/u, '')}`);
      return { status: 403, headers: { 'content-type': 'text/html' }, body: 'no way' };
    });
    const env = { CELLD_BUCKET: 'fleet', S3_ENDPOINT: server.url, HTTP_PROXY: proxy, ...KEYS };
    assert.equal((await run(['--denial-timeout', '0'], env)).code, 1);
    assert.deepEqual(seen, [`GET ${server.url}/fleet/`]);
    assert.equal((await run([], { ...env, NO_PROXY: '127.0.0.1' })).code, 0);
    assert.equal(seen.length, 1);
  });
});
