// The ways in which stacks end, and what cannot be ended by hand.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { stringAt } from '../../src/core/json.ts';
import { isRace, referenceOf } from '../control-plane/cluster.ts';
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
  why: 'deleting the XR’s namespace takes the providers their configuration: deletion gets stuck, and the data stays',
  run: async (stage) => {
    await stage.apply('celld', AWS('e2e-namespace'));
    await stage.untilReady('celld');
    const namespace = { apiVersion: 'v1', kind: 'Namespace', name: stage.namespace };
    await stage.cluster.remove(namespace);
    await stage.until('the Release is being deleted', async () => {
      const release = await stage.cluster.get(stage.release('celld'));
      return stringAt(release, 'metadata', 'deletionTimestamp') !== undefined;
    });
    await sleep(15_000);
    const { account } = stage.played.aws;
    assert.equal(account.has('Bucket', 'e2e-namespace'), true, 'the bucket is gone');
    assert.notEqual(await stage.cluster.find(stage.release('celld')), undefined);
    // What a person does then: put the finalizers of the two providers away by hand.
    await stage.until('the namespace is gone', async () => {
      const configs = await Promise.all(
        PROVIDER_CONFIGS.map((api) => stage.cluster.list(api, 'ProviderConfig', stage.namespace)),
      );
      for (const object of [...(await stage.composed('celld')).values(), ...configs.flat()]) {
        const at = referenceOf(object);
        const isStuck = stringAt(object, 'metadata', 'deletionTimestamp') !== undefined;
        if (!isStuck || !['Release', 'Object', 'ProviderConfig'].includes(at.kind)) continue;
        await stage.cluster.merge(at, { metadata: { finalizers: null } }).catch(ignoreGone);
      }
      return (await stage.cluster.find(namespace)) === undefined;
    });
  },
};

const PROVIDER_CONFIGS = ['helm.m.crossplane.io/v1beta1', 'kubernetes.m.crossplane.io/v1alpha1'];

function ignoreGone(error: unknown): void {
  if (!isRace(error)) throw error;
}

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
