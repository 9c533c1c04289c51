// For each rule of our XRD: XRs that only this rule refuses, and near ones that it accepts.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ownXrd } from '../../src/cli/own-stack.ts';
import type { JsonObject } from '../../src/core/json.ts';
import { type Rule, type Schema, schemaOfValues } from '../../src/schema/open-api-schema.ts';
import { resourceSchema } from '../../src/schema/resource-schema.ts';
import { readRulePath } from '../../src/schema/rule-path.ts';

const stack = resourceSchema(ownXrd().object, 'v1alpha1');

interface Stack {
  readonly name?: string;
  readonly spec: JsonObject;
}

interface Row {
  /** The part of the XR the rule stands at, and its place among the rules there. */
  readonly rule: string;
  readonly refused: readonly (Stack | readonly [old: Stack, fresh: Stack])[];
  readonly accepted: readonly (Stack | readonly [old: Stack, fresh: Stack])[];
}

const s = (spec: JsonObject, name = 'fleet'): Stack => ({ name, spec });
const aws = (settings: JsonObject, name?: string) =>
  s({ aws: { enabled: true, ...settings } }, name);
const disk = (persistence: JsonObject) => s({ persistence });

const ROWS: readonly Row[] = [
  {
    rule: '[0]',
    refused: [s({}, 'a.b'), s({}, '1st')],
    accepted: [s({}, 'ab'), s({ releaseName: 'ab' }, 'a.b'), s({ releaseName: 'first' }, '1st')],
  },
  {
    rule: '[1]',
    refused: [
      [s({ releaseName: 'one' }), s({ releaseName: 'two' })],
      [s({}), s({ releaseName: 'two' })],
      [s({ releaseName: 'one' }), s({})],
    ],
    accepted: [
      [s({ releaseName: 'one' }), s({ releaseName: 'one', region: 'eu-west-1' })],
      [s({}), s({ releaseName: 'fleet' })],
      [s({ releaseName: 'fleet' }), s({})],
    ],
  },
  {
    rule: '[2]',
    refused: [
      [aws({ bucketName: 'one' }), aws({ bucketName: 'two' })],
      [aws({}), aws({ bucketName: 'two' })],
      [aws({ bucketName: 'one' }), s({})],
    ],
    accepted: [
      [aws({ bucketName: 'one' }), aws({ bucketName: 'one', rolePrefix: 'x' })],
      [aws({}), aws({ bucketName: 'hops-celld-fleet' })],
      [s({}), aws({ bucketName: 'one' })],
    ],
  },
  {
    rule: 'spec[0]',
    refused: [s({ dev: { enabled: true }, azurite: { enabled: true } })],
    accepted: [
      s({ dev: { enabled: true } }),
      s({ dev: { enabled: false }, azurite: { enabled: true } }),
    ],
  },
  {
    rule: 'spec[1]',
    refused: [s({ dev: { enabled: true }, aws: { enabled: true } })],
    accepted: [
      s({ dev: { enabled: true } }),
      s({ dev: { enabled: false }, aws: { enabled: true } }),
    ],
  },
  {
    rule: 'spec[2]',
    refused: [s({ dev: { enabled: true }, bucket: 's3://data' })],
    accepted: [s({ dev: { enabled: true } }), s({ dev: { enabled: false }, bucket: 's3://data' })],
  },
  {
    rule: 'spec[3]',
    refused: [s({ azurite: { enabled: true }, aws: { enabled: true } })],
    accepted: [
      s({ azurite: { enabled: true } }),
      s({ azurite: { enabled: false }, aws: { enabled: true } }),
    ],
  },
  {
    rule: 'spec[4]',
    refused: [s({ azurite: { enabled: true }, bucket: 's3://data' })],
    accepted: [
      s({ azurite: { enabled: true } }),
      s({ azurite: { enabled: false }, bucket: 's3://data' }),
    ],
  },
  {
    rule: 'spec[5]',
    refused: [s({ aws: { enabled: true }, bucket: 's3://data' })],
    accepted: [s({ aws: { enabled: true } }), s({ aws: { enabled: false }, bucket: 's3://data' })],
  },
  {
    rule: 'spec[6]',
    refused: [s({ chartUrl: 'https://x.y/c.tgz', chartRepository: 'https://x.y' })],
    accepted: [s({ chartUrl: 'https://x.y/c.tgz' }), s({ chartRepository: 'https://x.y' })],
  },
  {
    rule: 'spec[7]',
    refused: [
      s({ bucket: 'gs://data', endpoint: 'https://store.example' }),
      s({ bucket: 'az://data', endpoint: 'https://store.example' }),
    ],
    accepted: [
      s({ bucket: 's3://data', endpoint: 'https://store.example' }),
      s({ bucket: 'gs://data' }),
      s({ endpoint: 'https://store.example' }),
    ],
  },
  {
    rule: 'spec[8]',
    refused: [
      s({ bucket: 's3://data', credentials: { googleServiceAccount: { secretName: 'key' } } }),
    ],
    accepted: [
      s({ bucket: 'gs://data', credentials: { googleServiceAccount: { secretName: 'key' } } }),
      s({ bucket: 's3://data', credentials: { existingSecret: 'keys' } }),
    ],
  },
  {
    rule: 'spec[9]',
    refused: [s({ bucket: 's3://data', azure: { accountName: 'abc' } })],
    accepted: [s({ bucket: 'az://data', azure: { accountName: 'abc' } })],
  },
  {
    rule: 'spec[10]',
    refused: [s({ dev: { enabled: true }, replicaCount: 2 })],
    accepted: [s({ dev: { enabled: true }, replicaCount: 1 }), s({ dev: {}, replicaCount: 2 })],
  },
  {
    rule: 'spec[11]',
    refused: [s({ persistence: { existingClaim: 'disk' }, replicaCount: 3 })],
    accepted: [s({ persistence: { existingClaim: 'disk' } }), s({ replicaCount: 3 })],
  },
  {
    rule: 'spec[12]',
    refused: [s({ durability: 'fleet', persistence: { enabled: false } })],
    accepted: [
      s({ durability: 'bucket', persistence: { enabled: false } }),
      s({ durability: 'fleet', replicaCount: 2 }),
    ],
  },
  {
    rule: 'spec.clusterName[0]',
    refused: [[s({ clusterName: 'one' }), s({ clusterName: 'two' })]],
    accepted: [[s({ clusterName: 'one' }), s({ clusterName: 'one', replicaCount: 2 })]],
  },
  {
    rule: 'spec.namespace[0]',
    refused: [
      [s({ namespace: 'one' }), s({ namespace: 'two' })],
      [s({ namespace: 'one' }), s({})],
    ],
    accepted: [
      [s({ namespace: 'one' }), s({ namespace: 'one' })],
      [s({}), s({ namespace: 'celld' })],
    ],
  },
  {
    rule: 'spec.releaseName[0]',
    refused: [s({ releaseName: 'r'.repeat(54) })],
    accepted: [s({ releaseName: 'r'.repeat(53) })],
  },
  {
    rule: 'spec.chartRepository[0]',
    refused: [s({ chartRepository: 'oci://ghcr.io/charts/celld' })],
    accepted: [s({ chartRepository: 'oci://ghcr.io/charts' })],
  },
  {
    rule: 'spec.bucket[0]',
    refused: [s({ bucket: 'http://data' }), s({ bucket: 'data' })],
    accepted: [s({ bucket: 's3://data' }), s({ bucket: 'gs://data' }), s({ bucket: 'az://data' })],
  },
  {
    rule: 'spec.bucket[1]',
    refused: [
      'ab',
      'Data',
      'da_ta',
      '-data',
      'data-',
      '10.0.0.1',
      'xn--data',
      'a..b',
      'x-s3alias',
    ].map((name) => s({ bucket: `s3://${name}` })),
    accepted: ['abc', 'my.data-1', 'd'.repeat(63)].map((name) => s({ bucket: `s3://${name}` })),
  },
  {
    rule: 'spec.bucket[2]',
    refused: ['ab', 'Data', '-data', 'goog-data', 'my-google', 'a..b', 'd'.repeat(64)].map((name) =>
      s({ bucket: `gs://${name}` }),
    ),
    accepted: ['abc', 'my_data-1', 'data.example.org'].map((name) => s({ bucket: `gs://${name}` })),
  },
  {
    rule: 'spec.bucket[3]',
    refused: ['ab', 'Data', 'a--b', 'a.b', '-data', 'd'.repeat(64)].map((name) =>
      s({ bucket: `az://${name}` }),
    ),
    accepted: ['abc', 'my-data-1'].map((name) => s({ bucket: `az://${name}` })),
  },
  {
    rule: 'spec.bucket[4]',
    refused: ['data/', 'data//a', 'data/a/', 'data/a b', 'data/ä'].map((rest) =>
      s({ bucket: `s3://${rest}` }),
    ),
    accepted: ['data/a', 'data/a/b_c.d'].map((rest) => s({ bucket: `s3://${rest}` })),
  },
  {
    rule: 'spec.aws[0]',
    refused: [[aws({ region: 'eu-west-1' }), aws({ region: 'eu-west-2' })]],
    accepted: [
      [aws({ region: 'eu-west-1' }), aws({ region: 'eu-west-1' })],
      [s({ aws: { region: 'eu-west-1' } }), aws({ region: 'eu-west-2' })],
    ],
  },
  {
    rule: 'spec.aws[1]',
    refused: [aws({ forceDestroy: true, deletionPolicy: 'Orphan' })],
    accepted: [aws({ forceDestroy: true }), aws({ deletionPolicy: 'Orphan' })],
  },
  {
    rule: 'spec.aws[2]',
    refused: [aws({ credentialsSecretRef: { name: 'keys' } })],
    accepted: [
      aws({ credentialsSecretRef: { name: 'keys' }, podIdentity: { enabled: false } }),
      aws({ podIdentity: { enabled: false } }),
    ],
  },
  {
    rule: 'spec.aws.bucketName[0]',
    refused: ['10.0.0.1', 'xn--data', 'sthree-data', 'a..b', 'x-s3alias', 'x--ol-s3'].map(
      (bucketName) => aws({ bucketName }),
    ),
    accepted: ['abc', 'my.data-1'].map((bucketName) => aws({ bucketName })),
  },
  {
    rule: 'spec.persistence[0]',
    refused: [
      [disk({ size: '1Gi' }), disk({ size: '2Gi' })],
      [disk({ enabled: true }), disk({ enabled: false })],
      [disk({}), disk({ storageClassName: 'fast' })],
      [disk({ storageClassName: 'fast' }), disk({ storageClassName: 'slow' })],
      [disk({ existingClaim: 'a' }), disk({ existingClaim: 'b' })],
      [disk({ existingClaim: 'a' }), disk({})],
    ],
    accepted: [
      [
        disk({ size: '1Gi', storageClassName: 'fast' }),
        disk({ size: '1Gi', storageClassName: 'fast' }),
      ],
      [s({}), disk({ size: '10Gi' })],
    ],
  },
];

interface Placed {
  readonly place: string;
  readonly at: string;
  readonly rule: Rule;
}

function rulesOf(schema: Schema, at: string): readonly Placed[] {
  const { properties = {}, items } = schema;
  const values = schemaOfValues(schema);
  return [
    ...(schema['x-kubernetes-validations'] ?? []).map((rule, index) => ({
      place: `${at}[${index}]`,
      at,
      rule,
    })),
    ...Object.entries(properties).flatMap(([name, child]) =>
      rulesOf(child, at === '' ? name : `${at}.${name}`),
    ),
    ...(items === undefined ? [] : rulesOf(items, `${at}[]`)),
    ...(values === undefined ? [] : rulesOf(values, `${at}{}`)),
  ];
}

const RULES = rulesOf(stack.schema, '');

function object({ name = 'fleet', spec }: Stack): JsonObject {
  return {
    apiVersion: 'hops.ops.com.ai/v1alpha1',
    kind: 'CelldStack',
    metadata: { name, namespace: 'default' },
    spec: { clusterName: 'hub', ...spec },
  };
}

function check(row: Stack | readonly [Stack, Stack]) {
  const [old, fresh] = 'spec' in row ? [undefined, row] : row;
  return stack.check(object(fresh), old === undefined ? undefined : object(old));
}

function shown(row: Stack | readonly [Stack, Stack]): string {
  if (!('spec' in row)) return `${shown(row[0])} becoming ${shown(row[1])}`;
  return `${row.name} ${JSON.stringify(row.spec)}`;
}

describe('rules of the XRD', () => {
  it('all have a row in the table', () => {
    assert.deepEqual(
      ROWS.map(({ rule }) => rule),
      RULES.map(({ place }) => place),
    );
  });

  for (const { rule: place, refused, accepted } of ROWS) {
    const found = RULES.find((one) => one.place === place);
    const at = found?.at ?? '';
    const path = readRulePath(found?.rule.fieldPath ?? '').field;
    for (const row of refused) {
      it(`${place} alone refuses ${shown(row)}`, () => {
        assert.deepEqual(
          check(row).map(({ code, field, reason }) => ({ code, field, reason })),
          [
            {
              code: 'RULE_BROKEN',
              field: `${at}${path}`.replace(/^\./u, '') || '<nil>',
              reason: found?.rule.reason,
            },
          ],
        );
        assert.equal(
          check(row)[0]?.message.endsWith(found?.rule.message?.trim() ?? 'a message'),
          true,
        );
      });
    }
    for (const row of accepted) {
      it(`${place} accepts ${shown(row)}`, () => assert.deepEqual(check(row), []));
    }
  }
});
