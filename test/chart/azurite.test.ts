// A real Azurite, started with the arguments and environment that the chart renders, and bootstrap on it
// with those of its init container: the Service's dotted name, the account, the address family.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { projectFile } from '../../src/cli/project.ts';
import { type JsonObject, listAt, objectAt, stringAt, valueAt } from '../../src/core/json.ts';
import type { KubeObject } from '../../src/core/kube-object.ts';
import { runBootstrap } from '../support/fleet-store.ts';
import { renderChart } from '../support/helm.ts';
import { envOf, fleetContainer, one, podOf } from '../support/rendered.ts';
import '../support/cluster-dns.ts';

const PROGRAM = projectFile('node_modules', 'azurite', 'dist', 'src', 'blob', 'main.js');

/** A port nobody listens on. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '::');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** The environment as a kubelet makes it: values, and what Secrets of the rendering hold. */
function environment(
  objects: readonly KubeObject[],
  container: JsonObject,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(envOf(container)).map(([name, value]) => {
      if (typeof value === 'string') return [name, value];
      const secret = objects.find(
        ({ kind, metadata }) =>
          kind === 'Secret' && metadata['name'] === valueAt(value, 'secretKeyRef', 'name'),
      );
      const key = stringAt(value, 'secretKeyRef', 'key') ?? '';
      return [name, Buffer.from(String(objectAt(secret, 'data')[key]), 'base64').toString('utf8')];
    }),
  );
}

/** Resolves once something accepts connections at a port of an address. */
async function accepts(host: string, port: number): Promise<void> {
  for (let left = 200; left > 0; left--) {
    const socket = connect(port, host);
    const open = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (open) return;
    await pause(50);
  }
  throw new Error(`nothing listens on ${host}:${port}`);
}

describe('azurite.enabled', () => {
  let azurite: ChildProcess;
  let port = 0;
  let folder = '';
  let objects: readonly KubeObject[] = [];

  before(async () => {
    port = await freePort();
    objects = await renderChart({
      release: 'demo',
      namespace: 'team-a',
      values: {
        azurite: { enabled: true, blobPort: port, accountName: 'cellsaccount', accountKey: 'a2V5' },
      },
    });
    const [container] = podOf(one(objects, 'Deployment', 'azurite')).containers;
    assert.ok(container);
    folder = mkdtempSync(join(tmpdir(), 'celld-azurite-'));
    const args = listAt(container, 'args').map((word) =>
      word === '/data' ? folder : String(word),
    );
    assert.equal(args[0], 'azurite-blob');
    azurite = spawn(process.execPath, [PROGRAM, ...args.slice(1)], {
      cwd: folder,
      env: environment(objects, container),
      stdio: 'ignore',
    });
  });
  after(async () => {
    const gone = once(azurite, 'exit');
    azurite.kill('SIGKILL');
    await gone;
    rmSync(folder, { recursive: true });
  });

  it('listens on IPv4 and IPv6', async () => {
    await accepts('127.0.0.1', port);
    await accepts('::1', port);
  });

  it('serves bootstrap under the dotted name of its Service, with the account of the values', async () => {
    const env = environment(objects, fleetContainer(objects, 'bootstrap'));
    assert.equal(env['AZURITE_BLOB_STORAGE_URL'], `http://demo-celld-azurite.team-a.svc:${port}`);
    assert.equal((await runBootstrap(env)).outcome, 'placeholder');
    assert.equal((await runBootstrap(env)).outcome, 'deployed');
  });
});
