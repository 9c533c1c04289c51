// Stacks that make their own bucket, from nothing to Ready and back to nothing.
import assert from 'node:assert/strict';
import { stringAt, valueAt } from '../../src/core/json.ts';
import { conditionOf } from './counts.ts';
import {
  assertGoneBefore,
  assertProtected,
  assertTargetGone,
  fleetOf,
  variableOf,
} from './promises.ts';
import type { Scenario, Stage } from './stage.ts';

const POD_IDENTITY = ['aws.hops.ops.com.ai/v1alpha1', 'PodIdentity'] as const;
const BUCKET = ['s3.aws.m.upbound.io/v1beta1', 'Bucket'] as const;

export const AWS: Scenario = {
  name: 'aws',
  why: 'bucket and Pod Identity come first, then the fleet; on deletion the fleet goes first',
  run: async (stage) => {
    await stage.apply('celld', { aws: { enabled: true, bucketName: 'e2e-aws' } });
    const ready = await stage.untilReady('celld');
    const role = stringAt(ready, 'status', 'podIdentity', 'roleArn') ?? '';
    assert.ok(role.startsWith('arn:aws:iam::'), `status.podIdentity.roleArn is ${role}`);
    assert.equal(valueAt(ready, 'status', 'bucket', 'id'), 'e2e-aws');
    assert.equal(variableOf(await fleetOf(stage), 'CELLD_BUCKET'), 's3://e2e-aws');
    assertReleaseCameAfterIdentity(stage);
    await stage.rest('celld');
    await assertProtected(stage, stage.at(...BUCKET, 'celld-s3'));
    await assertProtected(stage, stage.at(...POD_IDENTITY, 'celld-celld'));
    await assertProtected(stage, stage.object('celld-namespace'));
    await stage.removeAndSeeNothingLeft('celld');
    for (const last of ['Bucket/celld-s3', 'PodIdentity/celld-celld', 'Object/celld-namespace']) {
      assertGoneBefore(stage, 'celld', 'Release/celld', last);
    }
    await assertTargetGone(stage);
    assert.equal(
      stage.played.aws.account.has('Bucket', 'e2e-aws'),
      false,
      'the bucket is left in AWS',
    );
  },
};

/** EKS gives credentials only to pods that are made after the association. */
function assertReleaseCameAfterIdentity(stage: Stage): void {
  const changes = stage.recorder.changes();
  const release = changes.find((one) => one.object === 'Release/celld');
  const associated = changes.find(
    (one) =>
      one.object === 'PodIdentity/celld-celld' &&
      valueAt(one.value, 'status', 'podIdentity', 'association', 'ready') === true,
  );
  assert.ok(release !== undefined && associated !== undefined);
  assert.ok(release.at >= associated.at, 'the Release was made before Pod Identity was there');
}

export const AWS_CREDENTIALS: Scenario = {
  name: 'aws-credentials',
  why: 'without Pod Identity the keys of a Secret reach the fleet and show in no status',
  run: async (stage) => {
    const text =
      '[default]\naws_access_key_id = AKIDEXAMPLE\naws_secret_access_key = abcdEXAMPLEKEY/123\n';
    await stage.cluster.apply({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'aws-creds', namespace: stage.namespace },
      stringData: { credentials: text },
    });
    const aws = {
      enabled: true,
      bucketName: 'e2e-aws-credentials',
      podIdentity: { enabled: false },
    };
    await stage.apply('keys', { aws });
    await stage.untilReady('keys');
    const secrets = await stage.cluster.list('v1', 'Secret', stage.target);
    const encoded = Buffer.from('abcdEXAMPLEKEY/123').toString('base64');
    assert.ok(
      secrets.some((secret) => valueAt(secret, 'data', 'AWS_SECRET_ACCESS_KEY') === encoded),
      'no Secret beside the fleet holds the secret key whole',
    );
    for (const [key, object] of await stage.composed('keys')) {
      const shown = JSON.stringify(object);
      assert.ok(
        !shown.includes('abcdEXAMPLEKEY') && !shown.includes(encoded),
        `${key} shows the keys`,
      );
    }
    await stage.rest('keys');
    await stage.removeAndSeeNothingLeft('keys');
    await assertTargetGone(stage);
  },
};

export const BUCKET_TAKEN: Scenario = {
  name: 'bucket-taken',
  why: 'the bucket’s name belongs to somebody else: the XR says so, and nothing is installed',
  run: async (stage) => {
    stage.played.aws.account.taken.add('e2e-taken');
    await stage.apply('celld', { aws: { enabled: true, bucketName: 'e2e-taken' } });
    await stage.until('the XR tells what AWS said', async () => {
      const storage = conditionOf(await stage.xr('celld'), 'StorageReady');
      return String(storage?.['message']).includes('BucketAlreadyExists');
    });
    assert.equal(await stage.cluster.find(stage.release('celld')), undefined);
    stage.played.aws.account.taken.delete('e2e-taken');
    await stage.untilReady('celld', 90);
    await stage.removeAndSeeNothingLeft('celld');
  },
};

export const BUCKET_NOT_EMPTY: Scenario = {
  name: 'bucket-not-empty',
  why: 'a bucket with data survives the deletion of its stack unless forceDestroy says otherwise',
  run: async (stage) => {
    await stage.apply('celld', { aws: { enabled: true, bucketName: 'e2e-filled' } });
    await stage.untilReady('celld');
    stage.played.aws.account.filled.add('e2e-filled');
    await stage.cluster.remove(stage.at('hops.ops.com.ai/v1alpha1', 'CelldStack', 'celld'));
    const bucket = stage.at(...BUCKET, 'celld-s3');
    await stage.until('the Bucket tells that it is not empty', async () => {
      const synced = conditionOf(await stage.cluster.get(bucket), 'Synced');
      return String(synced?.['message']).includes('BucketNotEmpty');
    });
    assert.equal(stage.played.aws.account.has('Bucket', 'e2e-filled'), true);
    stage.played.aws.account.filled.delete('e2e-filled');
    await stage.until('nothing is left', async () => (await stage.composed('celld')).size === 0);
  },
};
