import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JsonObject } from '../../src/core/json.ts';
import { atRest, composeWith, type Resources } from '../support/xr.ts';

const AWS: JsonObject = { aws: { enabled: true } };
const resting = atRest(AWS);

type Condition = { readonly [field: string]: string | number };

function withStatus(key: string, status: JsonObject, spec?: JsonObject): Resources {
  const object = resting[key] ?? {};
  return { ...resting, [key]: { ...object, ...(spec === undefined ? {} : { spec }), status } };
}

function verdict(resources: Resources, key: string, type: string) {
  const composed = composeWith(AWS, resources);
  const condition = composed.conditions.find((one) => one.type === type);
  return {
    ready: composed.resources[key]?.ready,
    reason: condition?.reason,
    message: condition?.message,
  };
}

const READY: Condition = { type: 'Ready', status: 'True', reason: 'Available' };
const UNREADY: Condition = { type: 'Ready', status: 'False', reason: 'Unavailable' };
const SYNCED: Condition = {
  type: 'Synced',
  status: 'True',
  reason: 'ReconcileSuccess',
  observedGeneration: 1,
};
const failed = (message: string): Condition => ({
  type: 'Synced',
  status: 'False',
  reason: 'ReconcileError',
  observedGeneration: 1,
  message,
});

describe('readiness and conditions', () => {
  const CASES: readonly {
    why: string;
    key: string;
    status: JsonObject;
    type: string;
    expected: { ready: boolean; reason: string; message: string };
  }[] = [
    {
      why: 'a Release that Helm deployed is ready although it says Unavailable until the next look',
      key: 'helm-release-celld',
      status: { atProvider: { state: 'deployed' }, conditions: [UNREADY, SYNCED] },
      type: 'ReleaseReady',
      expected: { ready: true, reason: 'Deployed', message: 'Release demo is deployed' },
    },
    {
      why: 'a Release that was synced at an older generation is not ready',
      key: 'helm-release-celld',
      status: {
        atProvider: { state: 'deployed' },
        conditions: [READY, { ...SYNCED, observedGeneration: 0 }],
      },
      type: 'ReleaseReady',
      expected: { ready: false, reason: 'Upgrading', message: 'Release demo is being upgraded' },
    },
    {
      why: 'after a failed upgrade only the description of Helm keeps the cause',
      key: 'helm-release-celld',
      status: {
        atProvider: {
          state: 'failed',
          releaseDescription: 'Upgrade "demo" failed: no\n such thing',
        },
        conditions: [UNREADY, SYNCED],
      },
      type: 'ReleaseReady',
      expected: {
        ready: false,
        reason: 'ReleaseNotDeployed',
        message: 'Release demo is failed: Upgrade "demo" failed: no such thing',
      },
    },
    {
      why: 'the message of provider-helm is passed on',
      key: 'helm-release-celld',
      status: {
        atProvider: { state: 'deployed' },
        conditions: [UNREADY, failed('update failed: chart\n"celld" not found')],
      },
      type: 'ReleaseReady',
      expected: {
        ready: false,
        reason: 'ReleaseFailed',
        message: 'Release demo: update failed: chart "celld" not found',
      },
    },
    {
      why: 'a Bucket that exists and is not as asked for is not ready',
      key: 's3-bucket',
      status: {
        atProvider: { id: 'x' },
        conditions: [READY, failed('async update failed: access denied')],
      },
      type: 'StorageReady',
      expected: {
        ready: false,
        reason: 'BucketFailed',
        message: 'Bucket demo-s3: async update failed: access denied',
      },
    },
    {
      why: 'what guards the bucket counts as well',
      key: 's3-bucket-pab',
      status: { conditions: [SYNCED, UNREADY] },
      type: 'StorageReady',
      expected: {
        ready: false,
        reason: 'PublicAccessBlockNotReady',
        message: 'waiting for BucketPublicAccessBlock demo-s3-pab to become ready',
      },
    },
    {
      why: 'a PodIdentity without an association is not ready, whatever it says',
      key: 'pod-identity',
      status: {
        conditions: [READY, SYNCED],
        podIdentity: { role: { arn: 'arn:aws:iam::1:role/r' }, association: { ready: false } },
      },
      type: 'IdentityReady',
      expected: {
        ready: false,
        reason: 'PodIdentityNotReady',
        message: 'waiting for PodIdentity demo-celld to become ready',
      },
    },
    {
      why: 'a Usage that is not ready protects nothing',
      key: 'usage-helm-celld-s3-bucket',
      status: { conditions: [UNREADY] },
      type: 'DeletionProtected',
      expected: {
        ready: false,
        reason: 'UsageNotReady',
        message: 'waiting for Usage demo-delete-helm-celld-before-s3-bucket to become ready',
      },
    },
    {
      why: 'a fleet that cannot be looked at says why',
      key: 'fleet',
      status: {
        atProvider: {},
        conditions: [failed('observe failed: external resource does not exist')],
      },
      type: 'FleetReady',
      expected: {
        ready: false,
        reason: 'FleetNotObserved',
        message: 'StatefulSet celld/demo-celld: observe failed: external resource does not exist',
      },
    },
  ];
  for (const { why, key, status, type, expected } of CASES) {
    it(why, () => assert.deepEqual(verdict(withStatus(key, status), key, type), expected));
  }

  it('does not call a Release ready whose values are not the desired ones yet', () => {
    const composed = composeWith({ ...AWS, values: { resources: {} } }, resting);
    assert.deepEqual(
      [composed.resources['helm-release-celld']?.ready, composed.status['ready']],
      [false, false],
    );
  });

  it('does not call the stack ready while something is still to come', () => {
    const { fleet: _, ...started } = resting;
    const release = { ...started['helm-release-celld'], status: {} };
    assert.equal(composeWith(AWS, { ...started, 'helm-release-celld': release }).complete, false);
  });
});
