import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ChannelCredentials, status } from '@grpc/grpc-js';
import { RunFunctionResponse } from '../../src/crossplane/protocol.ts';
import type { Handler } from '../../src/server/handler.ts';
import { listenAddress } from '../../src/server/listen-address.ts';
import { authority } from '../support/certificates.ts';
import {
  call,
  clientCredentials,
  halfCall,
  RUN_FUNCTION,
  type Running,
  refusal,
  running,
  smallRequest,
} from '../support/function-client.ts';

/** Gives back what it was given, so that a lost or mangled byte shows. */
const echo: Handler = (request) => ({
  ...RunFunctionResponse.decode(new Uint8Array()),
  desired: request.observed,
});

const MIB = 1024 * 1024;

describe('serve()', () => {
  let server: Running;
  let calls = 0;
  before(async () => {
    server = await running((request) => {
      calls += 1;
      return echo(request);
    });
  });
  after(() => server.clean());

  it('answers over mTLS', async () => {
    const request = smallRequest({ a: [1, null, 'ü'] });
    assert.deepEqual((await server.runFunction(request)).desired, request.observed);
  });

  it('answers the v1beta1 service too, to which Crossplane falls back', async () => {
    const path = '/apiextensions.fn.proto.v1beta1.FunctionRunnerService/RunFunction';
    const answer = await call(server.client(), { ...RUN_FUNCTION, path }, smallRequest());
    assert.deepEqual(answer.desired, smallRequest().observed);
  });

  const strangers = [
    { why: 'it has no certificate', credentials: () => clientCredentials(server.ca) },
    {
      why: 'another authority signed its certificate',
      credentials: () => clientCredentials(server.ca, authority('function-ca').issue('crossplane')),
    },
    { why: 'it speaks plaintext', credentials: () => ChannelCredentials.createInsecure() },
  ];
  for (const { why, credentials } of strangers) {
    it(`refuses a client when ${why}`, async () => {
      const before = calls;
      const answer = call(server.client(credentials()), RUN_FUNCTION, smallRequest());
      assert.equal((await refusal(answer)).code, status.UNAVAILABLE);
      assert.equal(calls, before);
    });
  }

  it('answers a request of 3 MiB', async () => {
    const request = smallRequest({ large: 'x'.repeat(3 * MIB) });
    assert.deepEqual((await server.runFunction(request)).desired, request.observed);
  });

  it('refuses a request above the limit, and says so', async () => {
    const { code, details } = await refusal(
      server.runFunction(smallRequest({ large: 'x'.repeat(4 * MIB) })),
    );
    assert.equal(code, status.RESOURCE_EXHAUSTED);
    assert.match(details, /^Received message larger than max \(4194\d\d\d vs 4194304\)$/u);
  });

  it('refuses bytes that are no request, and goes on', async () => {
    const garbage = { ...RUN_FUNCTION, requestSerialize: () => Buffer.from([0x12, 0xff, 0x01, 7]) };
    assert.deepEqual(await refusal(call(server.client(), garbage, smallRequest())), {
      code: status.INVALID_ARGUMENT,
      details: 'the bytes are no RunFunctionRequest',
    });
    await server.runFunction(smallRequest());
  });

  it('survives bytes that are no TLS', async () => {
    const socket = connect(Number(server.address.split(':')[1]), '127.0.0.1');
    socket.write('GET / HTTP/1.0\r\n\r\n');
    socket.resume();
    await once(socket, 'close');
    await server.runFunction(smallRequest());
  });

  it('loses nothing when three hundred calls come at once', async () => {
    const clients = [1, 2, 3, 4].map(() => server.client());
    const answers = await Promise.all(
      Array.from({ length: 300 }, async (_, i) => {
        const client = clients[i % clients.length] ?? server.client();
        const answer = await call(client, RUN_FUNCTION, smallRequest({ i }));
        return answer.desired?.composite?.resource?.['spec'];
      }),
    );
    assert.deepEqual(
      answers,
      Array.from({ length: 300 }, (_, i) => ({ values: { i } })),
    );
  });
});

describe('serve(), the end of it', () => {
  let server: Running;
  afterEach(() => server.clean());

  it('answers the call that runs before it ends, and takes no new ones', async () => {
    server = await running(echo);
    const half = await halfCall(server.address, server.ca);
    const ended = server.stop();
    await sleep(50);
    const late = await refusal(call(server.client(), RUN_FUNCTION, smallRequest()));
    assert.equal(late.code, status.UNAVAILABLE);
    assert.deepEqual((await half.finish()).desired, smallRequest({ late: true }).observed);
    assert.equal(await ended, 0);
    assert.deepEqual(
      server.events.map(({ level, message }) => `${level} ${message}`),
      ['info listening', 'info draining', 'info stopped'],
    );
  });

  it('cuts a call that is still running at the deadline, and says so', async () => {
    server = await running(echo, { drainMs: 100 });
    const half = await halfCall(server.address, server.ca);
    assert.equal(await server.stop(), 1);
    assert.deepEqual(
      server.events.map(({ level, message }) => `${level} ${message}`),
      ['info listening', 'info draining', 'warn stopped, and cut calls that were still running'],
    );
    await assert.rejects(half.finish());
  });
});

describe('serve(), the start of it', () => {
  it('refuses a port that is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as { port: number };
    const address = listenAddress('tcp', `127.0.0.1:${port}`);
    await assert.rejects(running(echo, { address }), {
      problems: [
        {
          code: 'ADDRESS_UNUSABLE',
          path: '',
          message: `cannot listen on 127.0.0.1:${port}: the address is already in use`,
        },
      ],
    });
    other.close();
  });

  it('refuses a name that is no address of this machine', async () => {
    const address = listenAddress('tcp4', 'no-such-host.invalid:0');
    await assert.rejects(running(echo, { address }), {
      problems: [
        {
          code: 'ADDRESS_UNUSABLE',
          path: '',
          message:
            'cannot listen on no-such-host.invalid:0: "no-such-host.invalid" is no tcp4 address of this machine',
        },
      ],
    });
  });

  it('serves plaintext only when told to, and warns', async () => {
    const server = await running(echo, { certificates: 'insecure' });
    const client = server.client(ChannelCredentials.createInsecure());
    const answer = await call(client, RUN_FUNCTION, smallRequest());
    assert.deepEqual(answer.desired, smallRequest().observed);
    assert.deepEqual(
      server.events.map(({ level, message }) => `${level} ${message}`),
      ['warn listening without TLS'],
    );
    await server.clean();
  });

  const everywhere = [
    { network: 'tcp', text: ':0', host: '[::]', why: 'all addresses' },
    { network: 'tcp4', text: ':0', host: '0.0.0.0', why: 'all addresses of IPv4' },
    { network: 'tcp', text: 'localhost:0', host: /^127\.0\.0\.1|\[::1\]$/u, why: 'a name' },
  ] as const;
  for (const { network, text, host, why } of everywhere) {
    it(`listens on ${why} with ${network} ${text}`, async () => {
      const server = await running(echo, { address: listenAddress(network, text) });
      const [, bound = '', port = ''] = /^(.*):(\d+)$/u.exec(server.address) ?? [];
      if (typeof host === 'string') assert.equal(bound, host);
      else assert.match(bound, host);
      const name = bound === '[::1]' ? bound : '127.0.0.1';
      assert.equal(await reaches(name, Number(port)), true);
      await server.clean();
    });
  }

  it('listens on a socket, takes over a stale one, and leaves a live one alone', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'celld-stack-unix-'));
    const path = join(folder, 'function.sock');
    const address = listenAddress('unix', path);
    leaveStaleSocket(path);
    const server = await running(echo, { address, certificates: 'insecure' });
    const client = server.client(ChannelCredentials.createInsecure());
    const answer = await call(client, RUN_FUNCTION, smallRequest());
    assert.deepEqual(answer.desired, smallRequest().observed);
    await assert.rejects(running(echo, { address }), {
      problems: [
        {
          code: 'ADDRESS_UNUSABLE',
          path: '',
          message: `cannot listen on ${path}: the address is already in use`,
        },
      ],
    });
    await server.clean();
    rmSync(folder, { recursive: true });
  });
});

async function reaches(host: string, port: number): Promise<boolean> {
  const socket = connect(port, host.replace(/[[\]]/gu, ''));
  await once(socket, 'connect');
  socket.destroy();
  return true;
}

/** What a process that was killed leaves behind: a socket nobody listens on. */
function leaveStaleSocket(path: string): void {
  const script = `require('net').createServer().listen(process.argv[1], () => process.kill(process.pid, 'SIGKILL'))`;
  const { signal } = spawnSync(process.execPath, ['-e', script, path]);
  assert.equal(signal, 'SIGKILL');
}
