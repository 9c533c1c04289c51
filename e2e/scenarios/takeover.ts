// A stack of the older function and chart, taken over by ours: nothing is reinstalled.
import assert from 'node:assert/strict';
import { stringAt } from '../../src/core/json.ts';
import { OLDER_COMPOSITION } from '../played/older-stack.ts';
import { isTrue } from './counts.ts';
import { fleetOf, identities } from './promises.ts';
import type { Scenario } from './stage.ts';

export const TAKEOVER: Scenario = {
  name: 'takeover',
  why: 'an XR of the older stack keeps its Release, its fleet, its bucket and its identity',
  run: async (stage) => {
    const spec = {
      replicaCount: 2,
      aws: { enabled: true, bucketName: 'e2e-takeover', forceDestroy: true },
      image: { tag: '0.6.1' },
    };
    await stage.apply('celld', {
      ...spec,
      crossplane: { compositionRef: { name: OLDER_COMPOSITION } },
    });
    await stage.until('the older stack is ready', async () =>
      isTrue(await stage.xr('celld'), 'Ready'),
    );
    await stage.until('both nodes are ready', async () => (await stage.pods()).size === 2);
    const before = await identities(stage, 'celld');
    const fleet = stringAt(await fleetOf(stage), 'metadata', 'uid');
    await stage.cluster.merge(stage.at('hops.ops.com.ai/v1alpha1', 'CelldStack', 'celld'), {
      spec: {
        crossplane: {
          compositionRef: { name: 'celldstacks.hops.ops.com.ai' },
          compositionRevisionRef: null,
        },
      },
    });
    await stage.untilReady('celld', 120);
    const after = await identities(stage, 'celld');
    for (const key of [
      'Release/celld',
      'Object/celld-namespace',
      'Bucket/celld-s3',
      'BucketPublicAccessBlock/celld-s3-pab',
      'PodIdentity/celld-celld',
      'Usage/celld-delete-helm-celld-before-namespace',
      'Usage/celld-delete-helm-celld-before-pod-identity',
    ]) {
      assert.deepEqual(after[key], before[key], `${key} is another one than before`);
    }
    assert.equal(
      stringAt(await fleetOf(stage), 'metadata', 'uid'),
      fleet,
      'the StatefulSet is another one',
    );
    await stage.removeAndSeeNothingLeft('celld');
  },
};
