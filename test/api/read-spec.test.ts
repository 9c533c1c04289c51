import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readSpec } from '../../src/api/read-spec.ts';
import { checkRules } from '../../src/api/rules.ts';
import type { Json, JsonObject } from '../../src/core/json.ts';
import { xr } from '../support/xr.ts';

describe('readSpec()', () => {
  it('fills in every default of the XRD', () => {
    assert.deepEqual(readSpec(xr()), {
      spec: {
        clusterName: 'hub',
        namespace: 'celld',
        createNamespace: true,
        chartVersion: '0.3.1',
        image: { repository: 'ghcr.io/denoland/celld', pullPolicy: 'IfNotPresent' },
        replicaCount: 1,
        region: 'us-east-2',
        azurite: {
          enabled: false,
          container: 'celld',
          persistence: { enabled: true, size: '2Gi' },
        },
        aws: {
          enabled: false,
          region: 'us-east-2',
          forceDestroy: false,
          deletionPolicy: 'Delete',
          podIdentity: { enabled: true },
        },
        managementPolicies: ['*'],
        persistence: { enabled: true, size: '10Gi' },
        dev: {
          enabled: false,
          mountPath: '/workspace',
          port: 8080,
          logs: true,
          watch: true,
          clean: false,
        },
        bootstrap: { enabled: true },
        upgrade: { strategy: 'Auto' },
      },
    });
  });

  const WRONG: readonly { why: string; spec: JsonObject; path: string; message: string }[] = [
    {
      why: 'a type',
      spec: { replicaCount: 'three' },
      path: 'spec.replicaCount',
      message: 'Invalid value: "three": must be of type integer',
    },
    {
      why: 'a bound',
      spec: { replicaCount: 0 },
      path: 'spec.replicaCount',
      message: 'Invalid value: 0: must be at least 1',
    },
    {
      why: 'a half node',
      spec: { replicaCount: 1.5 },
      path: 'spec.replicaCount',
      message: 'Invalid value: 1.5: must be of type integer',
    },
    {
      why: 'a choice',
      spec: { durability: 'maybe' },
      path: 'spec.durability',
      message: 'Unsupported value: "maybe": supported values: "fleet", "bucket"',
    },
    {
      why: 'a value in a map',
      spec: { labels: { a: 1 } as unknown as Json },
      path: 'spec.labels.a',
      message: 'Invalid value: 1: must be of type string',
    },
    {
      why: 'an item of a list',
      spec: { managementPolicies: ['*', 'Keep'] },
      path: 'spec.managementPolicies[1]',
      message:
        'Unsupported value: "Keep": supported values: "*", "Observe", "Create", "Update", "Delete", "LateInitialize"',
    },
    {
      why: 'a missing field',
      spec: { credentials: { googleServiceAccount: {} } },
      path: 'spec.credentials.googleServiceAccount.secretName',
      message: 'Required value',
    },
  ];
  for (const { why, spec, path, message } of WRONG) {
    it(`names the field: ${why}`, () => {
      assert.deepEqual(readSpec(xr(spec)), { problems: [{ code: 'SPEC_INVALID', path, message }] });
    });
  }

  it('reports everything that is wrong at once, and an XR without a spec', () => {
    const reading = readSpec({ metadata: {} });
    assert.deepEqual(reading, {
      problems: [{ code: 'SPEC_INVALID', path: 'spec.clusterName', message: 'Required value' }],
    });
    const two = readSpec(xr({ replicaCount: 0, region: 7 }));
    assert.deepEqual(
      two.problems?.map(({ path }) => path),
      ['spec.replicaCount', 'spec.region'],
    );
  });

  it('takes a null for an absent field', () => {
    const reading = readSpec(xr({ replicaCount: null, bucket: null }));
    assert.ok('spec' in reading);
    assert.equal(reading.spec.replicaCount, 1);
    assert.equal(reading.spec.bucket, undefined);
  });
});

describe('checkRules()', () => {
  const CASES: readonly {
    why: string;
    spec: JsonObject;
    found: readonly (readonly [string, string])[];
  }[] = [
    { why: 'no store is allowed', spec: {}, found: [] },
    { why: 'one store is right', spec: { bucket: 's3://cells/a/b' }, found: [] },
    {
      why: 'two stores are ambiguous',
      spec: { azurite: { enabled: true }, aws: { enabled: true } },
      found: [['STORAGE_AMBIGUOUS', 'spec']],
    },
    {
      why: 'a scheme of another kind',
      spec: { bucket: 'ftp://x' },
      found: [['BUCKET_URI', 'spec.bucket']],
    },
    {
      why: 'a chart named twice',
      spec: { chartUrl: 'https://x/y.tgz', chartRepository: 'https://x' },
      found: [['CHART_AMBIGUOUS', 'spec.chartUrl']],
    },
  ];
  for (const { why, spec, found } of CASES) {
    it(why, () => {
      const reading = readSpec(xr(spec));
      assert.ok('spec' in reading);
      assert.deepEqual(
        checkRules(reading.spec).map(({ code, path }) => [code, path]),
        found,
      );
    });
  }
});
