// What people change on a running stack: values, size, chart, celld release.
import assert from 'node:assert/strict';
import { listAt, numberAt, stringAt, valueAt } from '../../src/core/json.ts';
import { fleetOf, identities } from './promises.ts';
import type { Scenario, Stage } from './stage.ts';

/** Waits until the Helm release is deployed in a later revision. */
async function untilRevision(stage: Stage, name: string, beyond: number): Promise<void> {
  await stage.until(`Release ${name} is deployed in a revision beyond ${beyond}`, async () => {
    const release = await stage.cluster.get(stage.release(name));
    const state = stringAt(release, 'status', 'atProvider', 'state');
    return (
      state === 'deployed' && (numberAt(release, 'status', 'atProvider', 'revision') ?? 0) > beyond
    );
  });
}

async function revisionOf(stage: Stage, name: string): Promise<number> {
  const release = await stage.cluster.get(stage.release(name));
  return numberAt(release, 'status', 'atProvider', 'revision') ?? 0;
}

export const VALUES: Scenario = {
  name: 'values',
  why: 'a changed value is an upgrade of the same release; the stack is Ready again without waiting for a poll',
  run: async (stage) => {
    await stage.apply('celld', {});
    await stage.untilReady('celld');
    const before = await stage.cluster.get(stage.release('celld'));
    const revision = await revisionOf(stage, 'celld');
    await stage.apply('celld', { values: { podLabels: { team: 'cells' } } });
    await untilRevision(stage, 'celld', revision);
    await stage.untilReady('celld');
    const after = await stage.cluster.get(stage.release('celld'));
    assert.equal(valueAt(after, 'metadata', 'uid'), valueAt(before, 'metadata', 'uid'));
    const labels = valueAt(await fleetOf(stage), 'spec', 'template', 'metadata', 'labels', 'team');
    assert.equal(labels, 'cells');
    await stage.rest('celld');
    await stage.removeAndSeeNothingLeft('celld');
  },
};

export const SCALE: Scenario = {
  name: 'scale',
  why: 'a fleet grows and shrinks to the size that is asked for, and the disks of nodes that left stay',
  run: async (stage) => {
    const size = (replicaCount: number) =>
      stage.apply('celld', { bucket: 's3://e2e-scale', replicaCount });
    await size(1);
    await stage.untilReady('celld');
    await size(4);
    await stage.until('four nodes are ready', async () => {
      return numberAt(await fleetOf(stage), 'status', 'readyReplicas') === 4;
    });
    await stage.untilReady('celld');
    await size(2);
    await stage.until('two nodes are left', async () => {
      const fleet = await fleetOf(stage);
      return numberAt(fleet, 'spec', 'replicas') === 2 && (await stage.pods()).size === 2;
    });
    await stage.untilReady('celld', 90);
    const claims = await stage.cluster.list('v1', 'PersistentVolumeClaim', stage.target);
    assert.equal(claims.length, 4, 'the disks of nodes that left are kept');
    await stage.removeAndSeeNothingLeft('celld');
  },
};

export const CHART_UPGRADE: Scenario = {
  name: 'chart-upgrade',
  why: 'a newer chart upgrades the release in place',
  run: async (stage) => {
    const newer = '0.3.99';
    stage.plane.charts.publish(newer);
    await stage.apply('celld', {});
    await stage.untilReady('celld');
    const fleet = stringAt(await fleetOf(stage), 'metadata', 'uid');
    await stage.apply('celld', { chartVersion: newer });
    await stage.until('the newer chart is deployed', async () => {
      const release = await stage.cluster.get(stage.release('celld'));
      return valueAt(release, 'status', 'atProvider', 'version') === newer;
    });
    const ready = await stage.untilReady('celld');
    assert.equal(valueAt(ready, 'status', 'release', 'version'), newer);
    assert.equal(stringAt(await fleetOf(stage), 'metadata', 'uid'), fleet);
    await stage.removeAndSeeNothingLeft('celld');
  },
};

export const ROLLING_UPGRADE: Scenario = {
  name: 'rolling-upgrade',
  why: 'a celld release that may roll replaces one node after another',
  run: async (stage) => {
    const run = (tag: string) =>
      stage.apply('celld', { bucket: 's3://e2e-rolling', replicaCount: 3, image: { tag } });
    await run('0.6.1');
    await stage.untilReady('celld');
    const before = await identities(stage, 'celld');
    await run('0.6.2');
    const least = { ready: 3 };
    await stage.until(
      'all nodes run the new release',
      async () => {
        const fleet = await fleetOf(stage);
        least.ready = Math.min(least.ready, numberAt(fleet, 'status', 'readyReplicas') ?? 0);
        const images = [...(await stage.pods()).values()].flatMap((pod) =>
          listAt(pod, 'spec', 'containers').map((one) => stringAt(one, 'image') ?? ''),
        );
        return images.filter((image) => image.endsWith(':0.6.2')).length === 3;
      },
      120,
    );
    assert.ok(least.ready >= 2, `only ${least.ready} nodes were ready while it rolled`);
    await stage.untilReady('celld', 90);
    const after = await identities(stage, 'celld');
    assert.deepEqual(after['Release/celld'], before['Release/celld']);
    await stage.removeAndSeeNothingLeft('celld');
  },
};
