// Decisions that the goldens show only in part, a table a subject.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { bucketPolicy, partitionOf } from '../../src/compose/aws.ts';
import { compose } from '../../src/compose/compose.ts';
import { type JsonObject, valueAt } from '../../src/core/json.ts';
import { atRest, composeFirst, composeWith, type Resources, valuesOf, xr } from '../support/xr.ts';

const BUCKET: JsonObject = { bucket: 's3://cells' };

function release(spec: JsonObject): JsonObject {
  const { object } = composeFirst(spec).resources['helm-release-celld'] ?? {};
  return (object?.['spec'] ?? {}) as JsonObject;
}

describe('the chart of the Release', () => {
  const own = { name: 'celld', repository: 'oci://ghcr.io/hops-ops/charts', version: '0.3.1' };
  const CASES: readonly { why: string; spec: JsonObject; chart: JsonObject }[] = [
    { why: 'is the one of this package', spec: {}, chart: own },
    {
      why: 'has the version asked for',
      spec: { chartVersion: '0.4.0' },
      chart: { ...own, version: '0.4.0' },
    },
    {
      why: 'comes from another repository',
      spec: { chartRepository: 'https://charts.example.com/' },
      chart: { name: 'celld', repository: 'https://charts.example.com', version: '0.3.1' },
    },
    {
      why: 'comes from a URL, whose file has its own version',
      spec: { chartUrl: 'https://example.com/celld-9.tgz' },
      chart: { name: 'celld', url: 'https://example.com/celld-9.tgz' },
    },
    {
      why: 'comes from an OCI URL without a tag, which needs the version',
      spec: { chartUrl: 'oci://example.com/charts/celld' },
      chart: { name: 'celld', url: 'oci://example.com/charts/celld', version: '0.3.1' },
    },
    {
      why: 'comes from an OCI URL with a tag',
      spec: { chartUrl: 'oci://example.com/charts/celld:1.0.0' },
      chart: { name: 'celld', url: 'oci://example.com/charts/celld:1.0.0' },
    },
  ];
  for (const { why, spec, chart } of CASES) {
    it(why, () =>
      assert.deepEqual(valueAt(release({ ...BUCKET, ...spec }), 'forProvider', 'chart'), chart),
    );
  }

  it('is pinned by digest when it is our own at our own version', () => {
    const digest = `sha256:${'a'.repeat(64)}`;
    const chart = { repository: 'oci://r/charts', name: 'celld', version: '0.3.1', digest };
    const image = { repository: 'r/function', tag: 'v1' };
    const digestOf = (spec: JsonObject) => {
      const { resources } = compose(
        { xr: xr(spec), resources: {}, required: {} },
        { chart, image },
      );
      return valueAt(
        resources['helm-release-celld']?.object,
        'spec',
        'forProvider',
        'chart',
        'digest',
      );
    };
    assert.deepEqual(
      [
        digestOf({}),
        digestOf({ chartVersion: '0.4.0' }),
        digestOf({ chartRepository: 'oci://other/charts' }),
      ],
      [digest, undefined, undefined],
    );
  });

  it('leaves the version of a chart from a URL alone, so that a new URL is not compared with an old one', () => {
    assert.deepEqual(
      release({ ...BUCKET, chartUrl: 'https://example.com/celld.tgz' })['managementPolicies'],
      ['Observe', 'Create', 'Update', 'Delete'],
    );
  });
});

describe('the IAM policy', () => {
  it('lets a node do what celld does with its bucket, and nothing else', () => {
    const policy = JSON.parse(
      bucketPolicy({
        bucketName: 'cells',
        region: 'cn-north-1',
        partition: 'aws-cn',
        kmsKeyArn: 'arn:aws-cn:kms:cn-north-1:1:key/k',
        role: {},
      }),
    );
    assert.deepEqual(policy, {
      Version: '2012-10-17',
      Statement: [
        {
          Sid: 'CelldBucket',
          Effect: 'Allow',
          Action: ['s3:ListBucket'],
          Resource: 'arn:aws-cn:s3:::cells',
        },
        {
          Sid: 'CelldObjects',
          Effect: 'Allow',
          Action: ['s3:GetObject', 's3:PutObject', 's3:DeleteObject', 's3:AbortMultipartUpload'],
          Resource: 'arn:aws-cn:s3:::cells/*',
        },
        {
          Sid: 'CelldKey',
          Effect: 'Allow',
          Action: ['kms:GenerateDataKey', 'kms:Decrypt'],
          Resource: 'arn:aws-cn:kms:cn-north-1:1:key/k',
        },
      ],
    });
  });

  it('speaks of the partition of the region', () => {
    assert.deepEqual(['us-east-2', 'cn-northwest-1', 'us-gov-west-1'].map(partitionOf), [
      'aws',
      'aws-cn',
      'aws-us-gov',
    ]);
  });

  it('names two roles for stacks of one name in two namespaces', () => {
    const role = (namespace: string) =>
      valueAt(
        composeFirst({ aws: { enabled: true } }, { namespace }).resources['pod-identity']?.object,
        'spec',
        'roleNameOverride',
      );
    assert.notEqual(role('team-a'), role('team-b'));
  });
});

describe('the celld release', () => {
  const running = (tag: string): Resources => {
    const copy = structuredClone(atRest({ ...BUCKET, replicaCount: 3 })) as unknown as Record<
      string,
      { spec: { forProvider: { values: { image: { tag: string } } } } }
    >;
    const found = copy['helm-release-celld'];
    if (found !== undefined) found.spec.forProvider.values.image.tag = tag;
    return copy as unknown as Resources;
  };
  const CASES: readonly {
    why: string;
    spec: JsonObject;
    resources: Resources;
    strategy: string | undefined;
    notices: readonly string[];
  }[] = [
    {
      why: 'rolls within a line',
      spec: { image: { tag: '0.6.1' } },
      resources: running('0.6.0'),
      strategy: 'RollingUpdate',
      notices: [],
    },
    {
      why: 'stops where old and new must not meet',
      spec: { image: { tag: '0.5.0' } },
      resources: running('0.4.1'),
      strategy: 'OnDelete',
      notices: ['warning FullStopUpgrade'],
    },
    {
      why: 'rolls when it was told to',
      spec: { image: { tag: '0.5.0' }, upgrade: { strategy: 'Rolling' } },
      resources: running('0.4.1'),
      strategy: 'RollingUpdate',
      notices: ['warning UnsafeUpgrade'],
    },
    {
      why: 'says that nobody knows the way back',
      spec: { image: { tag: '0.6.0' } },
      resources: running('0.6.2'),
      strategy: 'RollingUpdate',
      notices: ['warning UnknownUpgrade'],
    },
    {
      why: 'may be newer than this package',
      spec: { image: { tag: '9.0.0' } },
      resources: {},
      strategy: 'RollingUpdate',
      notices: ['warning UnknownCelldRelease'],
    },
    {
      why: 'must be readable',
      spec: { image: { tag: 'latest' } },
      resources: {},
      strategy: undefined,
      notices: ['fatal UnreadableImageTag'],
    },
    {
      why: 'need not be readable when the values say the rest',
      spec: {
        image: { tag: 'latest' },
        values: { probes: { path: '/x' }, terminationGracePeriodSeconds: 90 },
      },
      resources: {},
      strategy: 'RollingUpdate',
      notices: [],
    },
    {
      why: 'must know Pod Identity where it is used',
      spec: { bucket: null, image: { tag: '0.3.0' }, aws: { enabled: true } },
      resources: {},
      strategy: undefined,
      notices: ['fatal PodIdentityUnsupported'],
    },
  ];
  for (const { why, spec, resources, strategy, notices } of CASES) {
    it(why, () => {
      const composed = composeWith({ ...BUCKET, replicaCount: 3, ...spec }, resources);
      assert.deepEqual(
        [
          valueAt(valuesOf(composed), 'updateStrategy', 'type'),
          composed.notices.map(({ severity, reason }) => `${severity} ${reason}`),
        ],
        [strategy, notices],
      );
    });
  }

  it('stays stopped until every pod runs the new image, then rolls again', () => {
    const spec: JsonObject = { ...BUCKET, replicaCount: 3, image: { tag: '0.5.0' } };
    const stopped = composeWith(spec, running('0.4.1'));
    const release = {
      ...running('0.4.1')['helm-release-celld'],
      spec: stopped.resources['helm-release-celld']?.object['spec'] ?? null,
    };
    const seen = (updated: number): Resources => ({
      'helm-release-celld': release,
      fleet: {
        status: {
          atProvider: {
            manifest: {
              metadata: { generation: 2 },
              spec: {
                replicas: 3,
                template: { spec: { containers: [{ image: 'ghcr.io/denoland/celld:0.5.0' }] } },
              },
              status: { observedGeneration: 2, updatedReplicas: updated },
            },
          },
        },
      },
    });
    const strategies = [0, 2, 3].map((updated) =>
      valueAt(valuesOf(composeWith(spec, seen(updated))), 'updateStrategy', 'type'),
    );
    assert.deepEqual(strategies, ['OnDelete', 'OnDelete', 'RollingUpdate']);
  });

  it('decides path and grace of the probes', () => {
    const facts = (tag: string) => {
      const values = valuesOf(composeFirst({ ...BUCKET, image: { tag } }));
      return [valueAt(values, 'probes', 'path'), valueAt(values, 'terminationGracePeriodSeconds')];
    };
    assert.deepEqual(
      [facts('0.3.0'), facts('v0.6.2')],
      [
        ['/__celld/health', 60],
        ['/.well-known/celld/health', 60],
      ],
    );
  });
});

describe('the values', () => {
  it('follow the user in names, port and everything else', () => {
    const { status, resources } = composeFirst({
      aws: { enabled: true },
      values: { fullnameOverride: 'cells', serviceAccount: { name: 'sa' }, service: { port: 80 } },
    });
    assert.deepEqual(status['service'], {
      name: 'cells',
      namespace: 'celld',
      port: 80,
      url: 'http://cells.celld.svc:80',
    });
    assert.deepEqual(valueAt(resources['pod-identity']?.object, 'spec', 'serviceAccount'), {
      name: 'sa',
      namespace: 'celld',
    });
  });

  it('are the override alone, where there is one', () => {
    const values = { replicaCount: 3, celld: { bucket: 's3://override' } };
    assert.deepEqual(valuesOf(composeFirst({ overrideAllValues: values })), values);
  });

  const DURABILITY: readonly { why: string; spec: JsonObject; durability: string }[] = [
    { why: 'one node waits for the bucket', spec: {}, durability: 'bucket' },
    {
      why: 'several nodes on disks wait for each other',
      spec: { replicaCount: 3 },
      durability: 'fleet',
    },
    {
      why: 'several nodes without disks wait for the bucket',
      spec: { replicaCount: 3, persistence: { enabled: false } },
      durability: 'bucket',
    },
    {
      why: 'what is asked for counts',
      spec: { replicaCount: 3, durability: 'bucket' },
      durability: 'bucket',
    },
  ];
  for (const { why, spec, durability } of DURABILITY) {
    it(`durability: ${why}`, () => {
      assert.equal(
        valueAt(valuesOf(composeFirst({ ...BUCKET, ...spec })), 'celld', 'durability'),
        durability,
      );
    });
  }

  it('tell a foreign chart only what it knows, and acknowledge nothing from its disks', () => {
    const values = valuesOf(
      composeFirst({
        ...BUCKET,
        replicaCount: 3,
        chartRepository: 'https://hops-ops.github.io/celld-chart',
      }),
    );
    assert.deepEqual(Object.keys(values).sort(), [
      'azurite',
      'celld',
      'dev',
      'extraEnv',
      'fullnameOverride',
      'image',
      'persistence',
      'replicaCount',
      'serviceAccount',
      'terminationGracePeriodSeconds',
    ]);
    assert.deepEqual(
      [values['extraEnv'], values['celld']],
      [
        [{ name: 'CELLD_DURABILITY', value: 'bucket' }],
        { bucket: 's3://cells', region: 'us-east-2' },
      ],
    );
  });

  it('hand credentials from a Secret to Helm without a copy', () => {
    const spec: JsonObject = { aws: { enabled: true, podIdentity: { enabled: false } } };
    const composed = composeWith(spec, atRest(spec));
    assert.deepEqual(
      valueAt(composed.resources['helm-release-celld']?.object, 'spec', 'forProvider', 'set'),
      [
        {
          name: 'credentials.sharedCredentials',
          valueFrom: { secretKeyRef: { name: 'aws-creds', key: 'credentials' } },
        },
      ],
    );
    assert.equal(composed.resources['aws-creds-secret'], undefined);
  });
});
