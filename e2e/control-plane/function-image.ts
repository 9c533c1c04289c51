// The function out of its pushed image, without a container runtime: its root file system unpacked, its
// entrypoint started in it as its user. And what Crossplane's runtime controller would do, played.
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Json, listAt, stringAt } from '../../src/core/json.ts';
import { gunzip } from '../../src/package/oci/gzip.ts';
import { readTar, type TarEntry } from '../../src/package/oci/tar.ts';
import type { RegistryClient } from '../../src/package/registry/client.ts';
import { fetchBlob, fetchManifest } from '../../src/package/registry/pull.ts';
import { isTrue } from '../scenarios/counts.ts';
import type { Stage } from '../scenarios/stage.ts';
import { freePort } from './ports.ts';
import { type Running, startProcess } from './processes.ts';

const PKG = 'pkg.crossplane.io/v1';

/** Unpacks the pushed image for this machine and starts it as a container runtime would. Gives its address. */
export async function startFromImage(
  client: RegistryClient,
  folder: string,
  running: Running[],
): Promise<string> {
  const rootfs = join(folder, 'rootfs');
  const repository = 'hops-ops/function-celld-stack';
  const { document } = await fetchManifest(client, repository, 'v0.1.0');
  const architecture = process.arch === 'arm64' ? 'arm64' : 'amd64';
  const child = listAt(document, 'manifests').find(
    (one) => stringAt(one, 'platform', 'architecture') === architecture,
  );
  const manifest = (await fetchManifest(client, repository, stringAt(child, 'digest') ?? ''))
    .document;
  const fetchJson = async (digest: string) =>
    JSON.parse(Buffer.from(await fetchBlob(client, repository, digest)).toString()) as Json;
  const config = await fetchJson(stringAt(manifest, 'config', 'digest') ?? '');
  for (const layer of listAt(manifest, 'layers')) {
    const bytes = gunzip(await fetchBlob(client, repository, stringAt(layer, 'digest') ?? ''));
    for (const entry of readTar(bytes)) unpack(rootfs, entry);
  }
  for (const name of ['ca.crt', 'tls.crt', 'tls.key']) {
    const target = join(rootfs, 'tls', 'server', name);
    mkdirSync(dirname(target), { recursive: true });
    spawnSync('cp', [join(folder, 'function-certificates', name), target]);
    chmodSync(target, 0o644);
  }
  const address = `127.0.0.1:${await freePort()}`;
  const [program = '', ...args] = listAt(config, 'config', 'Entrypoint').map(String);
  running.push(
    startProcess({
      name: 'function-image',
      command: 'chroot',
      args: [
        `--userspec=${stringAt(config, 'config', 'User')}`,
        rootfs,
        program,
        ...args,
        `--address=${address}`,
      ],
      env: { TLS_SERVER_CERTS_DIR: '/tls/server', PATH: process.env['PATH'] ?? '' },
      folder,
    }),
  );
  return address;
}

function unpack(rootfs: string, entry: TarEntry): void {
  const path = join(rootfs, entry.path);
  if (entry.type !== 'folder') rmSync(path, { force: true });
  if (entry.type === 'folder') mkdirSync(path, { recursive: true, mode: entry.mode });
  else if (entry.type === 'symlink') symlinkSync(entry.target ?? '', path);
  else writeFileSync(path, entry.content, { mode: entry.mode });
}

/** Plays the controller that would make a Deployment: it tells the revision its certificates, its address and its health. */
export async function deployFunction(stage: Stage, name: string, address: string): Promise<void> {
  const folder = join(stage.plane.workplace.folder, 'function-certificates');
  const names = ['ca.crt', 'tls.crt', 'tls.key'];
  const tls = Object.fromEntries(
    names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
  );
  const { cluster } = stage;
  const revision = await stage.until('the function has a revision', async () =>
    (await cluster.list(PKG, 'FunctionRevision')).find(
      (one) =>
        stringAt(one, 'metadata', 'labels', 'pkg.crossplane.io/package') === name &&
        stringAt(one, 'spec', 'desiredState') === 'Active',
    ),
  );
  const at = {
    apiVersion: PKG,
    kind: 'FunctionRevision',
    name: stringAt(revision, 'metadata', 'name') ?? '',
  };
  const secret = { name: 'function-server-tls', namespace: 'crossplane-system' };
  await cluster.apply({ apiVersion: 'v1', kind: 'Secret', metadata: secret, stringData: tls });
  const status = { endpoint: `dns:///${address}`, tlsServerSecretName: secret.name };
  await cluster.merge(at, { status }, 'status');
  const healthy = await stage.until('the revision is healthy', async () => {
    const found = await cluster.get(at);
    return isTrue(found, 'RevisionHealthy') ? found : undefined;
  });
  const runtime = {
    type: 'RuntimeHealthy',
    status: 'True',
    reason: 'HealthyPackageRuntime',
    lastTransitionTime: new Date().toISOString().replace(/\.\d+/u, ''),
  };
  const conditions = [...listAt(healthy, 'status', 'conditions'), runtime];
  await cluster.merge(at, { status: { conditions } }, 'status');
}
