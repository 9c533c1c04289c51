// A real Azurite, started with the arguments and environment that the chart renders, and bootstrap on it
// with those of its init container: the Service's dotted name, the account, the address family.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { projectFile } from '../../src/cli/project.ts';
import { type JsonObject, listAt } from '../../src/core/json.ts';
import type { KubeObject } from '../../src/core/kube-object.ts';
import { runBootstrap } from '../support/fleet-store.ts';
import { freePorts } from '../support/free-ports.ts';
import { renderChart } from '../support/helm.ts';
import { containerEnvironment } from '../support/pod-environment.ts';
import { fleetContainer, one, podOf } from '../support/rendered.ts';
import '../support/cluster-dns.ts';

const PROGRAM = projectFile('node_modules', 'azurite', 'dist', 'src', 'blob', 'main.js');

/** The environment of a container as a kubelet makes it. */
function environment(objects: readonly KubeObject[], container: JsonObject) {
  return containerEnvironment(container, {
    name: 'demo-celld-0',
    namespace: 'team-a',
    ip: '127.0.0.1',
    objects,
  });
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
    [port = 0] = await freePorts(1);
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
