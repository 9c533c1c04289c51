// Debian's docker-registry as a child process on loopback, and a proxy before it that fails as it is told.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePorts } from './free-ports.ts';

export interface Running {
  readonly host: string;
  readonly stop: () => Promise<void>;
}

/** A line of an htpasswd file for the user `celld` with the password `open sesame`. */
const HTPASSWD = 'celld:$2b$05$91ermRMGovzFfDU0t.EBrOSfDpRTpC4A8BgOFBN2Gy4X9JQDr7P6y\n';
export const LOGIN = { user: 'celld', password: 'open sesame' };

/** Starts a registry on a free port; with `login` only LOGIN may use it. */
export async function dockerRegistry(options: { readonly login?: boolean } = {}): Promise<Running> {
  const folder = mkdtempSync(join(tmpdir(), 'celld-registry-'));
  const [port = 0] = await freePorts(1);
  writeFileSync(join(folder, 'htpasswd'), HTPASSWD);
  const config = {
    version: 0.1,
    log: { level: 'error' },
    storage: { filesystem: { rootdirectory: join(folder, 'data') } },
    http: { addr: `127.0.0.1:${port}` },
    ...(options.login === true
      ? { auth: { htpasswd: { realm: 'test', path: join(folder, 'htpasswd') } } }
      : {}),
  };
  writeFileSync(join(folder, 'config.yml'), JSON.stringify(config));
  const child = spawn('docker-registry', ['serve', join(folder, 'config.yml')], {
    stdio: 'ignore',
  });
  await answering(child, port);
  return {
    host: `127.0.0.1:${port}`,
    stop: async () => {
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function answering(child: ChildProcess, port: number): Promise<void> {
  for (let tried = 0; tried < 300; tried++) {
    if (child.exitCode !== null) throw new Error(`docker-registry ended with ${child.exitCode}`);
    const answer = await fetch(`http://127.0.0.1:${port}/v2/`).catch(() => undefined);
    if (answer !== undefined) return;
    await sleep(100);
  }
  throw new Error('docker-registry does not answer');
}

export interface Proxy extends Running {
  /** Answers the next requests of a method with a status. */
  readonly failNext: (times: number, method: string, status: number) => void;
  /** Passes this many bytes of the next body that is longer, then cuts both connections. */
  readonly cutNext: (bytes: number) => void;
  /** How many requests were failed and cut. */
  readonly faults: () => number;
}

/** A proxy before a registry. */
export async function faultyProxy(host: string): Promise<Proxy> {
  const failing = { times: 0, method: '', status: 0 };
  let [cut, faults] = [0, 0];
  const server = createServer((incoming, outgoing) => {
    if (failing.times > 0 && incoming.method === failing.method) {
      failing.times -= 1;
      faults += 1;
      incoming.resume();
      incoming.once('end', () => outgoing.writeHead(failing.status).end());
      return;
    }
    const [hostname, port] = host.split(':');
    const onward = request(
      { hostname, port, method: incoming.method, path: incoming.url, headers: incoming.headers },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      },
    );
    onward.once('error', () => outgoing.destroy());
    let passed = 0;
    incoming.on('data', (part: Buffer) => {
      passed += part.length;
      if (cut === 0 || passed < cut) {
        onward.write(part);
        return;
      }
      [cut, faults] = [0, faults + 1];
      onward.destroy();
      incoming.destroy();
    });
    incoming.once('end', () => onward.end());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    failNext: (times, method, status) => Object.assign(failing, { times, method, status }),
    cutNext: (bytes) => {
      cut = bytes;
    },
    faults: () => faults,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
