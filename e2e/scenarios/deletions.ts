// The ways in which stacks end, and what cannot be ended by hand.
import assert from 'node:assert/strict';
import { assertGoneBefore, assertProtected, assertTargetGone } from './promises.ts';
import type { Scenario, Stage } from './stage.ts';

const AWS = (bucketName: string) => ({ aws: { enabled: true, bucketName } });

async function assertOrder(stage: Stage): Promise<void> {
  for (const last of ['Bucket/celld-s3', 'PodIdentity/celld-celld', 'Object/celld-namespace']) {
    assertGoneBefore(stage, 'celld', 'Release/celld', last);
  }
  await assertTargetGone(stage);
}

export const DELETE_FOREGROUND: Scenario = {
  name: 'delete-foreground',
  why: 'a foreground deletion keeps the order and shows the XR until all is gone',
  run: async (stage) => {
    await stage.apply('celld', AWS('e2e-foreground'));
    await stage.untilReady('celld');
    await stage.removeAndSeeNothingLeft('celld', 'Foreground');
    await assertOrder(stage);
  },
};

export const DELETE_NAMESPACE: Scenario = {
  name: 'delete-namespace',
  why: 'deleting the XR’s namespace: what of it ends by itself, and that the fleet goes before its bucket',
  run: async (stage) => {
    await stage.apply('celld', AWS('e2e-namespace'));
    await stage.untilReady('celld');
    await stage.cluster.remove({ apiVersion: 'v1', kind: 'Namespace', name: stage.namespace });
    await stage.until('the Release is gone', async () => {
      return (await stage.cluster.find(stage.release('celld'))) === undefined;
    });
    await stage.until(
      'the namespace is gone',
      async () => {
        const found = await stage.cluster.find({
          apiVersion: 'v1',
          kind: 'Namespace',
          name: stage.namespace,
        });
        return found === undefined;
      },
      120,
    );
  },
};

export const DELETE_BY_HAND: Scenario = {
  name: 'delete-by-hand',
  why: 'nothing the fleet stands on can be deleted while it stands',
  run: async (stage) => {
    await stage.apply('celld', AWS('e2e-by-hand'));
    await stage.untilReady('celld');
    const usages = [...(await stage.composed('celld')).keys()].filter((key) =>
      key.startsWith('Usage/'),
    );
    assert.ok(usages.length >= 3, `expected at least three Usages, found ${usages.join(', ')}`);
    await assertProtected(stage, stage.object('celld-namespace'));
    await assertProtected(stage, stage.at('s3.aws.m.upbound.io/v1beta1', 'Bucket', 'celld-s3'));
    await assertProtected(
      stage,
      stage.at('aws.hops.ops.com.ai/v1alpha1', 'PodIdentity', 'celld-celld'),
    );
    await stage.rest('celld');
    await stage.removeAndSeeNothingLeft('celld', 'Background');
    await assertOrder(stage);
  },
};
