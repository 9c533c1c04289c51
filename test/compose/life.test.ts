// What a stack does over time: gates that open once, resources that stay, names that never change.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compose } from '../../src/compose/compose.ts';
import { type JsonObject, stringAt, valueAt } from '../../src/core/json.ts';
import {
  atRest,
  composeFirst,
  composeWith,
  created,
  type Resources,
  ready,
  valuesOf,
  xr,
} from '../support/xr.ts';

const AWS: JsonObject = { aws: { enabled: true } };
const resting = atRest(AWS);

function without(resources: Resources, key: string, ...path: readonly string[]): Resources {
  const copy = structuredClone(resources) as Record<string, Record<string, unknown>>;
  const last = path.at(-1) ?? '';
  const parent = path
    .slice(0, -1)
    .reduce(
      (at, part) => at?.[part] as Record<string, unknown>,
      copy[key] as Record<string, unknown>,
    );
  if (path.length === 0) delete copy[key];
  else delete parent[last];
  return copy as unknown as Resources;
}

function born(...readyKeys: readonly string[]): Resources {
  return Object.fromEntries(
    Object.entries(created(composeFirst(AWS))).map(([key, object]) => [
      key,
      readyKeys.includes(key) ? ready(key, object) : object,
    ]),
  );
}

describe('the first install', () => {
  const CASES = [
    {
      why: 'waits for all at first',
      ready: [],
      waits:
        'Release demo waits until Bucket demo-s3 exists in AWS and PodIdentity demo-celld is bound',
    },
    {
      why: 'waits for the identity when only the bucket is there',
      ready: ['s3-bucket'],
      waits: 'Release demo waits until PodIdentity demo-celld is bound',
    },
    {
      why: 'waits for the bucket when only the identity is there',
      ready: ['pod-identity'],
      waits: 'Release demo waits until Bucket demo-s3 exists in AWS',
    },
    { why: 'happens when both are there', ready: ['s3-bucket', 'pod-identity'], waits: undefined },
  ];
  for (const { why, ready: keys, waits } of CASES) {
    it(why, () => {
      const { resources, conditions, complete } = composeWith(AWS, born(...keys));
      const condition = conditions.find(({ type }) => type === 'ReleaseReady');
      assert.deepEqual(
        {
          made: resources['helm-release-celld'] !== undefined,
          waits: condition?.reason === 'WaitingToInstall' ? condition.message : undefined,
          complete,
        },
        { made: waits === undefined, waits, complete: false },
      );
    });
  }

  it('does not take the word Pending for an ARN', () => {
    const pending = born('s3-bucket', 'pod-identity');
    const identity = pending['pod-identity'] as {
      status: { podIdentity: { role: { arn: string } } };
    };
    identity.status.podIdentity.role.arn = 'Pending';
    const { resources, status } = composeWith(AWS, pending);
    assert.equal(resources['helm-release-celld'], undefined);
    assert.deepEqual(status['podIdentity'], { associationId: 'a-1', ready: false });
  });
});

describe('a stack at rest', () => {
  it('is ready and complete, and composes itself anew without a change', () => {
    const { status, complete, resources, notices } = composeWith(AWS, resting);
    assert.deepEqual(
      {
        ready: status['ready'],
        complete,
        unready: Object.entries(resources).filter(([, r]) => !r.ready),
        notices,
      },
      { ready: true, complete: true, unready: [], notices: [] },
    );
  });

  const LOST: readonly (readonly string[])[] = [
    ['status'],
    ['status', 'atProvider'],
    ['status', 'conditions'],
    ['spec'],
    ['metadata'],
  ];
  for (const key of Object.keys(resting)) {
    it(`keeps all it has when it loses sight of ${key}, or of a part of it`, () => {
      const before = composeWith(AWS, resting).resources;
      for (const path of LOST) {
        if (valueAt(resting[key], ...path) === undefined) continue;
        const after = composeWith(AWS, without(resting, key, ...path)).resources;
        const specs = (resources: typeof after) =>
          Object.fromEntries(Object.entries(resources).map(([k, r]) => [k, r.object]));
        // A PodIdentity that shows no spec has its role named by us again; nothing else may change.
        if (key === 'pod-identity' && path[0] === 'spec')
          assert.deepEqual(Object.keys(after), Object.keys(before));
        else assert.deepEqual(specs(after), specs(before), path.join('.'));
      }
    });
  }

  it('keeps the celld release it was installed with, whatever the package knows by then', () => {
    const older = structuredClone(resting) as unknown as Record<
      string,
      { spec: { forProvider: { values: { image: { tag: string } } } } }
    >;
    const release = older['helm-release-celld'];
    assert.ok(release);
    release.spec.forProvider.values.image.tag = '0.6.0';
    const values = valuesOf(composeWith(AWS, older as unknown as Resources));
    assert.equal(stringAt(values, 'image', 'tag'), '0.6.0');
  });

  it('keeps the chart of an older stack, whose StatefulSet cannot become that of ours', () => {
    const chart = {
      name: 'celld',
      repository: 'https://hops-ops.github.io/celld-chart',
      version: '0.4.0',
    };
    const older: Resources = {
      ...resting,
      'helm-release-celld': {
        metadata: { name: 'demo' },
        spec: { forProvider: { chart, values: { image: { tag: '0.6.0' } } } },
      },
    };
    const source = (spec: JsonObject) => {
      const { resources, notices } = composeWith({ ...AWS, ...spec }, older);
      const { object } = resources['helm-release-celld'] ?? {};
      return [valueAt(object, 'spec', 'forProvider', 'chart'), notices.map(({ reason }) => reason)];
    };
    const ours = { name: 'celld', repository: 'oci://ghcr.io/hops-ops/charts', version: '0.3.1' };
    assert.deepEqual(
      [source({}), source({ chartVersion: '0.4.1' }), source({ chartRepository: ours.repository })],
      [
        [chart, ['ChartKept']],
        [{ ...chart, version: '0.4.1' }, ['ChartKept']],
        [ours, []],
      ],
    );
  });

  it('restarts no pod because the package was upgraded', () => {
    const newer = {
      chart: { repository: 'oci://ghcr.io/hops-ops/charts', name: 'celld', version: '0.3.1' },
      image: { repository: 'ghcr.io/hops-ops/function-celld-stack', tag: 'v9.9.9' },
    };
    const imageOf = (spec: JsonObject) => {
      const composed = compose(
        { xr: xr({ ...AWS, ...spec }), resources: resting, required: {} },
        newer,
      );
      return valueAt(valuesOf(composed), 'bootstrap', 'image', 'tag');
    };
    assert.deepEqual(
      [
        imageOf({}),
        imageOf({ replicaCount: 3 }),
        imageOf({ image: { tag: '0.6.1' } }),
        imageOf({ chartVersion: '0.3.2' }),
      ],
      ['v0.1.0', 'v0.1.0', 'v9.9.9', 'v9.9.9'],
    );
    const { resources } = compose({ xr: xr(AWS), resources: resting, required: {} }, newer);
    assert.deepEqual(
      resources['helm-release-celld']?.object['spec'],
      composeWith(AWS, resting).resources['helm-release-celld']?.object['spec'],
    );
  });

  it('keeps the role of a PodIdentity that named it itself', () => {
    const older = without(resting, 'pod-identity', 'spec', 'roleNameOverride');
    const { object } =
      composeWith({ aws: { enabled: true, rolePrefix: 'team-' } }, older).resources[
        'pod-identity'
      ] ?? {};
    assert.deepEqual(
      [valueAt(object, 'spec', 'roleNameOverride'), valueAt(object, 'spec', 'rolePrefix')],
      [undefined, 'team-'],
    );
  });

  it('keeps the bucket where it is when the spec says otherwise', () => {
    const { resources } = composeWith(
      { aws: { enabled: true, region: 'eu-west-1', bucketName: 'another' } },
      resting,
    );
    const bucket = resources['s3-bucket']?.object;
    assert.deepEqual(
      [
        stringAt(bucket, 'metadata', 'annotations', 'crossplane.io/external-name'),
        valueAt(bucket, 'spec', 'forProvider', 'region'),
      ],
      ['hops-celld-demo', 'us-east-2'],
    );
    assert.equal(
      stringAt(valuesOf({ resources } as never), 'celld', 'bucket'),
      's3://hops-celld-demo',
    );
  });

  it('keeps a key that is taken out of the spec, and lets the older AES256 object go', () => {
    const kms = atRest({
      aws: { enabled: true, kmsKeyArn: 'arn:aws:kms:us-east-2:111122223333:key/k' },
    });
    const kept = composeWith(AWS, kms).resources['s3-bucket-encryption']?.object;
    assert.equal(
      stringAt(
        kept,
        'spec',
        'forProvider',
        'rule',
        0,
        'applyServerSideEncryptionByDefault',
        'kmsMasterKeyId',
      ),
      'arn:aws:kms:us-east-2:111122223333:key/k',
    );
    const aes: Resources = {
      ...resting,
      's3-bucket-encryption': {
        spec: {
          forProvider: {
            rule: [{ applyServerSideEncryptionByDefault: { sseAlgorithm: 'AES256' } }],
          },
        },
      },
    };
    assert.equal(composeWith(AWS, aes).resources['s3-bucket-encryption'], undefined);
  });

  it('goes on copying a Secret that was copied', () => {
    const spec: JsonObject = { aws: { enabled: true, podIdentity: { enabled: false } } };
    const copied = {
      ...atRest(spec),
      'aws-creds-secret': { metadata: { name: 'demo-aws-creds', uid: 'u' } },
    };
    const { resources } = composeWith(spec, copied);
    assert.deepEqual(
      [
        resources['aws-creds-secret'] !== undefined,
        valueAt(valuesOf({ resources } as never), 'credentials'),
      ],
      [true, { sharedCredentialsSecret: 'demo-aws', sharedCredentialsKey: 'credentials' }],
    );
  });
});
