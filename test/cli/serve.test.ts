import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { after, afterEach, describe, it } from 'node:test';
import { ChannelCredentials, Client } from '@grpc/grpc-js';
import { projectFile } from '../../src/cli/project.ts';
import { Severity } from '../../src/crossplane/protocol.ts';
import { authority } from '../support/certificates.ts';
import {
  call,
  certificateFolder,
  clientCredentials,
  halfCall,
  RUN_FUNCTION,
  smallRequest,
} from '../support/function-client.ts';

const ca = authority('function-ca');
const { folder, remove } = certificateFolder(ca.issue('function'), ca);
const XR = {
  apiVersion: 'hops.ops.com.ai/v1alpha1',
  kind: 'CelldStack',
  metadata: { name: 'demo', namespace: 'team-a', uid: 'u' },
  spec: { clusterName: 'prod', bucket: 's3://demo-bucket' },
};

const children: ChildProcess[] = [];
const clients: Client[] = [];

/** A process of `celld-stack serve`, on a free port of loopback unless said otherwise. */
function start(
  args: readonly string[],
  env: { readonly [name: string]: string } = {},
): {
  readonly listening: Promise<string>;
  readonly draining: Promise<unknown>;
  readonly ended: Promise<{ code: number | null; stdout: string; stderr: string }>;
  readonly kill: (signal: NodeJS.Signals) => void;
} {
  const child = spawn(
    process.execPath,
    [projectFile('bin', 'celld-stack'), 'serve', '--address', '127.0.0.1:0', ...args],
    { env: { ...process.env, TLS_SERVER_CERTS_DIR: folder, ...env } },
  );
  children.push(child);
  let [stdout, stderr] = ['', ''];
  let heard = (_address: string): void => undefined;
  const listening = new Promise<string>((resolve) => {
    heard = resolve;
  });
  const draining = new Promise((resolve) => {
    child.stderr.on('data', (chunk: Buffer) => {
      if (chunk.includes('"draining"')) resolve(chunk);
    });
  });
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
    const address = /"message":"listening.*"address":"([^"]+)"/u.exec(stderr)?.[1];
    if (address !== undefined) heard(address);
  });
  const ended = once(child, 'close').then(([code]: unknown[]) => ({
    code: code as number | null,
    stdout,
    stderr: stderr
      .replaceAll(/"time":"[^"]+"/gu, '"time":"T"')
      .replaceAll(/127\.0\.0\.1:\d+"/gu, '127.0.0.1:PORT"'),
  }));
  const early = ended.then(({ code, stderr: why }): never => {
    throw new Error(`it ended with ${code} before it listened: ${why}`);
  });
  const listens = Promise.race([listening, early]);
  listens.catch(() => undefined); // some are meant to end early, and nobody waits for them to listen
  return {
    listening: listens,
    draining,
    ended,
    kill: (signal) => child.kill(signal),
  };
}

function client(address: string, credentials = clientCredentials(ca, ca.issue('crossplane'))) {
  const made = new Client(address, credentials, {
    'grpc.use_local_subchannel_pool': 1,
    'grpc.ssl_target_name_override': 'localhost',
  });
  clients.push(made);
  return made;
}

function observing(xr: object) {
  const request = smallRequest();
  return {
    ...request,
    observed: { composite: { resource: xr, connectionDetails: {}, ready: 0 }, resources: {} },
  };
}

/** The whole of standard error of a run that began and ended well. */
function lines(listening: string): string {
  return [
    `{"time":"T",${listening},"network":"tcp","address":"127.0.0.1:PORT"}\n`,
    '{"time":"T","level":"info","message":"draining","signal":"SIGTERM"}\n',
    '{"time":"T","level":"info","message":"stopped"}\n',
  ].join('');
}

describe('celld-stack serve', () => {
  afterEach(() => {
    for (const one of clients.splice(0)) one.close();
    for (const child of children.splice(0)) child.kill('SIGKILL');
  });
  after(remove);

  it('composes over mTLS with the certificates of TLS_SERVER_CERTS_DIR, and ends on SIGTERM', async () => {
    const server = start([]);
    const calls = client(await server.listening);
    const composed = await call(calls, RUN_FUNCTION, observing(XR));
    assert.deepEqual(Object.keys(composed.desired?.resources ?? {}).sort(), [
      'helm-release-celld',
      'namespace',
    ]);
    const spec = { ...XR.spec, bucket: 'ftp://x' };
    const refused = await call(calls, RUN_FUNCTION, observing({ ...XR, spec }));
    assert.deepEqual(
      refused.results.map(({ severity }) => severity),
      [Severity.SEVERITY_FATAL],
    );
    assert.deepEqual(refused.desired?.resources ?? {}, {});
    server.kill('SIGTERM');
    assert.deepEqual(await server.ended, {
      code: 0,
      stdout: '',
      stderr: lines('"level":"info","message":"listening"'),
    });
  });

  it('answers the call that runs when SIGTERM comes', async () => {
    const server = start(['--tls-certs-dir', folder], { TLS_SERVER_CERTS_DIR: '/nowhere' });
    const half = await halfCall(await server.listening, ca);
    server.kill('SIGTERM');
    const answer = await half.finish();
    assert.deepEqual(
      answer.results.map(({ severity }) => severity),
      [Severity.SEVERITY_FATAL],
    );
    assert.equal((await server.ended).code, 0);
  });

  it('does not wait for a call that runs when a second signal comes', async () => {
    const server = start([]);
    const half = await halfCall(await server.listening, ca);
    server.kill('SIGTERM');
    await server.draining;
    server.kill('SIGINT');
    assert.equal((await server.ended).code, null);
    await assert.rejects(half.finish());
  });

  it('serves plaintext with --insecure alone, and says so', async () => {
    const server = start(['--insecure'], { TLS_SERVER_CERTS_DIR: '/nowhere' });
    const calls = client(await server.listening, ChannelCredentials.createInsecure());
    assert.notEqual((await call(calls, RUN_FUNCTION, observing(XR))).desired, undefined);
    server.kill('SIGTERM');
    assert.deepEqual(await server.ended, {
      code: 0,
      stdout: '',
      stderr: lines('"level":"warn","message":"listening without TLS"'),
    });
  });

  it('logs calls with --debug by the name of the XR, and nothing of what is in it', async () => {
    const server = start(['--debug']);
    const calls = client(await server.listening);
    await call(calls, RUN_FUNCTION, observing(XR));
    server.kill('SIGTERM');
    const { stderr } = await server.ended;
    const events = stderr.split('\n').filter((line) => line.includes('"message":"called"'));
    assert.deepEqual(
      events.map((line) => line.replace(/"milliseconds":[\d.]+/u, '"milliseconds":M')),
      [
        '{"time":"T","level":"debug","message":"called","xr":"team-a/demo","tag":"","milliseconds":M,"observed":0,"desired":2,"results":0}',
      ],
    );
  });

  it('listens again at once after it was killed', async () => {
    const first = start([]);
    const address = await first.listening;
    first.kill('SIGKILL');
    await first.ended;
    const [bare, again] = [await startOfNode(), performance.now()];
    const second = start(['--address', address]);
    assert.equal(await second.listening, address);
    const took = performance.now() - again;
    // A second on a machine that has nothing else to do; as much slower as Node itself is otherwise.
    assert.ok(took < Math.max(1000, 20 * bare), `took ${took} ms, Node alone ${bare} ms`);
    await call(client(address), RUN_FUNCTION, observing(XR));
  });

  it('ends with one line when the port is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as { port: number };
    assert.deepEqual(await start(['--address', `127.0.0.1:${port}`]).ended, {
      code: 1,
      stdout: '',
      stderr: `error ADDRESS_UNUSABLE: cannot listen on 127.0.0.1:${port}: the address is already in use\n`,
    });
    other.close();
  });

  it('ends with one line and a hint when there are no certificates', async () => {
    assert.deepEqual(await start([], { TLS_SERVER_CERTS_DIR: '/nowhere' }).ended, {
      code: 1,
      stdout: '',
      stderr:
        'error CERTIFICATES_UNUSABLE: cannot use the certificates: /nowhere/tls.crt: no such file\n' +
        '  hint: mount tls.crt, tls.key and ca.crt there, or pass --insecure for a trial on this machine\n',
    });
  });

  const wrong: readonly { args: readonly string[]; stderr: string }[] = [
    {
      args: ['--network', 'udp'],
      stderr:
        'error USAGE: --network is "udp": expected "tcp" or "tcp4" or "tcp6" or "unix"\n  hint: see celld-stack serve --help\n',
    },
    {
      args: ['--address', '9443'],
      stderr:
        'error USAGE: --address is "9443": expected HOST:PORT\n  hint: write ":9443" to listen on every address of the machine\n',
    },
    {
      args: ['--max-recv-message-size', '4.5'],
      stderr: 'error USAGE: --max-recv-message-size is "4.5": expected megabytes, from 1 to 1024\n',
    },
  ];
  for (const { args, stderr } of wrong) {
    it(`refuses ${args.join(' ')} as wrong usage`, async () => {
      assert.deepEqual(await start(args).ended, { code: 2, stdout: '', stderr });
    });
  }
});

/** How long this machine takes to start Node with nothing to do. */
async function startOfNode(): Promise<number> {
  const begin = performance.now();
  await once(spawn(process.execPath, ['-e', '0']), 'close');
  return performance.now() - begin;
}
