// `make e2e-packages`: core's own package manager installs what a build pushed to a registry on loopback,
// over a stand-in for the older package whose fleet lives on, and a new stack becomes Ready through it.
//
// Switched off: the resolution of dependencies, since the providers' packages cannot be had here (the
// providers run, as in every scenario). Played: what makes Deployments of packages; the function is
// started from the root file system of its pushed image, as its user and without anything of this machine.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { type Json, type JsonObject, listAt, stringAt } from '../src/core/json.ts';
import { connect } from '../src/package/registry/client.ts';
import { dockerRegistry } from '../test/support/docker-registry.ts';
import type { Reference } from './control-plane/cluster.ts';
import { Complaint } from './control-plane/complaint.ts';
import { deployFunction, startFromImage } from './control-plane/function-image.ts';
import type { Running } from './control-plane/processes.ts';
import {
  objectFor,
  officialToolsRead,
  publish,
  pushOlder,
} from './control-plane/pushed-packages.ts';
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

  await officialToolsRead(client, host, plane.workplace.folder, say);

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
  await deployFunction(stage, FUNCTION, address);
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
