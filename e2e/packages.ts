// `make e2e-packages`: core's own package manager installs what a build pushed to a registry on loopback,
// over a stand-in for the older package whose fleet lives on, and a new stack becomes Ready through it.
//
// Switched off: the resolution of dependencies, since the providers' packages cannot be had here (the
// providers run, as in every scenario). Played: what makes Deployments of packages; the function is
// started from the root file system of its pushed image, as its user and without anything of this machine.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Json, type JsonObject, listAt, objectAt, stringAt } from '../src/core/json.ts';
import { loadManifests } from '../src/manifests/load.ts';
import { parseYaml, printYamlStream } from '../src/manifests/yaml.ts';
import { gunzip } from '../src/package/oci/gzip.ts';
import { image } from '../src/package/oci/image.ts';
import { readTar, type TarEntry } from '../src/package/oci/tar.ts';
import { connect, type RegistryClient } from '../src/package/registry/client.ts';
import { fetchBlob, fetchManifest } from '../src/package/registry/pull.ts';
import { pushContent } from '../src/package/registry/push.ts';
import { packageLayer } from '../src/package/runtime/runtime-image.ts';
import { dockerRegistry } from '../test/support/docker-registry.ts';
import type { Reference } from './control-plane/cluster.ts';
import { Complaint } from './control-plane/complaint.ts';
import { projectFile } from './control-plane/folders.ts';
import { freePort } from './control-plane/ports.ts';
import { type Running, startProcess } from './control-plane/processes.ts';
import { type OpenPlane, openPlane } from './open-plane.ts';
import { isTrue } from './scenarios/counts.ts';
import { fleetOf, identities } from './scenarios/promises.ts';
import { record } from './scenarios/recorder.ts';
import { makeStage, type Stage } from './scenarios/stage.ts';

type Say = (line: string) => void;

const PKG = 'pkg.crossplane.io/v1';
const FUNCTION = 'hops-ops-function-celld-stack';
const CONFIGURATION: Reference = {
  apiVersion: PKG,
  kind: 'Configuration',
  name: 'hops-ops-celld-stack',
};
const FLEET = { replicaCount: 2, bucket: 's3://fleet-bucket', image: { tag: '0.6.1' } };
const OLDER_CHARTS = 'https://hops-ops.github.io/celld-chart';

/** Runs the installation and the move. Gives the exit code. */
export async function runPackages(say: Say): Promise<number> {
  if (spawnSync('docker-registry', ['--version']).error !== undefined) {
    throw new Complaint('docker-registry is not installed', 'apt-get install docker-registry');
  }
  const open = await openPlane(say);
  const registry = await dockerRegistry();
  const running: Running[] = [];
  try {
    await play(open, registry.host, running, say);
    say('packages: passed');
    await end();
    await open.close();
    return 0;
  } catch (error) {
    say(await circumstances(open));
    await end();
    say(`the logs are in ${await open.close('packages')}`);
    throw error;
  }

  async function end(): Promise<void> {
    for (const one of running) await one.stop();
    await registry.stop();
  }
}

/** What a reader of a failure wants to see first: the conditions of everything that takes part. */
async function circumstances({ plane }: OpenPlane): Promise<string> {
  const { cluster } = plane.kubernetes;
  const kinds = [
    [PKG, 'Configuration'],
    [PKG, 'ConfigurationRevision'],
    [PKG, 'Function'],
    [PKG, 'FunctionRevision'],
    ['apiextensions.crossplane.io/v1', 'CompositionRevision'],
    ['hops.ops.com.ai/v1alpha1', 'CelldStack'],
    ['helm.m.crossplane.io/v1beta1', 'Release'],
    ['kubernetes.m.crossplane.io/v1alpha1', 'Object'],
  ] as const;
  const lists = await Promise.all(kinds.map(([api, kind]) => cluster.list(api, kind)));
  const lines = lists
    .flat()
    .flatMap((object) => [
      `${stringAt(object, 'kind')} ${stringAt(object, 'metadata', 'name')}`,
      ...listAt(object, 'status', 'conditions').map(
        (one) =>
          `  ${stringAt(one, 'type')}=${stringAt(one, 'status')} ${stringAt(one, 'reason')} ${stringAt(one, 'message') ?? ''}`,
      ),
    ]);
  return lines.join('\n');
}

async function play({ plane, played }: OpenPlane, host: string, running: Running[], say: Say) {
  const { cluster } = plane.kubernetes;
  const begin = (namespace: string) => record(cluster, namespace);
  const stage = await makeStage(plane, played, begin, 'packages');
  const client = await connect(host, { credentials: async () => undefined });
  const manifests = publish(host, plane.workplace.folder);

  await pushOlder(client);
  await cluster.apply({
    ...objectFor(manifests, 'Configuration'),
    spec: { package: `${host}/hops-ops/older:v0.0.9`, skipDependencyResolution: true },
  });
  await stage.until('the older package is healthy', async () =>
    isTrue(await cluster.get(CONFIGURATION), 'Healthy'),
  );
  await stage.apply('celld', { ...FLEET, chartRepository: OLDER_CHARTS });
  await stage.until('the older stack is ready', async () =>
    isTrue(await stage.xr('celld'), 'Ready'),
  );
  await stage.until('both nodes are there', async () => (await stage.pods()).size === 2);
  const before = await livesOf(stage);
  say('packages: a stack of the older package is ready');

  await cluster.remove({ apiVersion: PKG, kind: 'FunctionRevision', name: `${FUNCTION}-checkout` });
  await cluster.apply(objectFor(manifests, 'DeploymentRuntimeConfig'));
  await cluster.apply(objectFor(manifests, 'Function'));
  await cluster.merge(CONFIGURATION, {
    spec: { package: `${host}/hops-ops/celld-stack:v0.1.0` },
  });
  const address = await startFromImage(client, plane.workplace.folder, running);
  await deployFunction(stage, address);
  for (const at of [CONFIGURATION, { apiVersion: PKG, kind: 'Function', name: FUNCTION }]) {
    await stage.until(`${at.kind} is healthy`, async () => {
      const found = await cluster.get(at);
      return isTrue(found, 'Healthy') && isTrue(found, 'Installed');
    });
  }
  say('packages: Configuration and Function are healthy');

  await stage.until('our function answers for the older stack', async () =>
    isTrue(await stage.xr('celld'), 'FleetReady'),
  );
  await stage.untilReady('celld', 120);
  assert.deepEqual(await livesOf(stage), before, 'the move replaced something');
  say('packages: XR, Release and pods of the older stack live on');

  await stage.removeAndSeeNothingLeft('celld');
  await stage.apply('fresh', { bucket: 's3://fleet-bucket' });
  await stage.untilReady('fresh', 120);
  const release = await cluster.get(stage.release('fresh'));
  assert.match(stringAt(release, 'spec', 'forProvider', 'chart', 'digest') ?? '', /^sha256:/u);
  await stage.removeAndSeeNothingLeft('fresh');
  say('packages: a new stack became ready through them, its chart by digest from the registry');
}

/** What must be the same before and after: the XR, the Release, the StatefulSet and its pods. */
async function livesOf(stage: Stage): Promise<object> {
  const all = await identities(stage, 'celld');
  const uid = (object: JsonObject | undefined) => stringAt(object, 'metadata', 'uid');
  const pods = [...(await stage.pods())].map(([name, pod]): [string, Json] => [
    name,
    uid(pod) ?? null,
  ]);
  return {
    xr: uid(await stage.xr('celld')),
    release: all['Release/celld'],
    namespace: all['Object/celld-namespace'],
    fleet: uid(await fleetOf(stage)),
    pods: Object.fromEntries(pods.sort()),
  };
}

/** Builds for the registry, pushes, and gives the manifests that install it. */
function publish(host: string, folder: string): readonly JsonObject[] {
  const output = join(folder, 'build');
  const registry = ['--registry', `${host}/hops-ops`];
  const run = (...args: readonly string[]) => {
    const done = spawnSync(process.execPath, [projectFile('bin', 'celld-stack'), ...args], {
      encoding: 'utf8',
    });
    if (done.status !== 0) throw new Complaint(`celld-stack ${args[0]} failed`, done.stderr);
    return done.stdout;
  };
  run('build', ...registry, '--output', output);
  run('push', ...registry, '--output', output);
  const text = run('install-manifests', ...registry);
  return parseYaml(text, 'install-manifests').documents.map(({ value }) => value as JsonObject);
}

function objectFor(manifests: readonly JsonObject[], kind: string): JsonObject {
  const found = manifests.find((one) => one['kind'] === kind);
  if (found === undefined) throw new Error(`install-manifests prints no ${kind}`);
  const spec = objectAt(found, 'spec');
  return kind === 'Configuration'
    ? { ...found, spec: { ...spec, skipDependencyResolution: true } }
    : found;
}

/** The older package: the same XRD, and a Composition of the same name with the older function. */
async function pushOlder(client: RegistryClient): Promise<void> {
  const folder = projectFile('apis', 'celldstacks');
  const apis = loadManifests([join(folder, 'definition.yaml'), join(folder, 'composition.yaml')]);
  const objects = apis.map(({ object }) =>
    object.kind !== 'Composition'
      ? object
      : {
          ...object,
          spec: {
            ...objectAt(object, 'spec'),
            pipeline: [{ step: 'render', functionRef: { name: 'older-celld-stack-render' } }],
          },
        },
  );
  const metadata = {
    apiVersion: 'meta.pkg.crossplane.io/v1',
    kind: 'Configuration',
    metadata: { name: 'celld-stack' },
    spec: { crossplane: { version: '>=v2.0.0-0' } },
  };
  const text = printYamlStream([metadata, ...objects]);
  const content = image({ layers: [await packageLayer('package.yaml', text, 'base')] });
  await pushContent({ client, repository: 'hops-ops/older', mountFrom: [] }, content, 'v0.0.9');
}

/** Unpacks the pushed image for this machine and starts it as a container runtime would. Gives its address. */
async function startFromImage(
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
async function deployFunction(stage: Stage, address: string): Promise<void> {
  const folder = join(stage.plane.workplace.folder, 'function-certificates');
  const names = ['ca.crt', 'tls.crt', 'tls.key'];
  const tls = Object.fromEntries(
    names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
  );
  const { cluster } = stage;
  const revision = await stage.until('the function has a revision', async () =>
    (await cluster.list(PKG, 'FunctionRevision')).find(
      (one) =>
        stringAt(one, 'metadata', 'labels', 'pkg.crossplane.io/package') === FUNCTION &&
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
