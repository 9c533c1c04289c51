import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compose } from '../../src/compose/compose.ts';
import type { JsonObject } from '../../src/core/json.ts';
import { atRest, composeFirst, type Resources, xr } from '../support/xr.ts';

const SPEC: JsonObject = { bucket: 's3://cells/prod' };
const { requirements } = composeFirst(SPEC);

/** Another stack's Release that bears the labels of a requirement. */
function other(name: string, more: JsonObject = {}): JsonObject {
  return {
    apiVersion: 'helm.m.crossplane.io/v1beta1',
    kind: 'Release',
    metadata: {
      name: 'other',
      namespace: 'team-b',
      uid: 'uid-of-other',
      creationTimestamp: '2025-01-01T00:00:00Z',
      labels: { 'crossplane.io/composite': 'other', ...requirements[name]?.matchLabels },
      ...more,
    },
  };
}

const NAMESPACE = 'releases-of-this-namespace';
const STORE = 'releases-of-this-store';

function outcome(resources: Resources, required: { [name: string]: readonly JsonObject[] }) {
  const composed = compose({ xr: xr(SPEC), resources, required });
  const exclusive = composed.conditions.find(({ type }) => type === 'Exclusive');
  const namespace = composed.resources['namespace']?.object['spec'] as JsonObject | undefined;
  return {
    exclusive: exclusive?.reason,
    notices: composed.notices.map(({ severity, reason }) => `${severity} ${reason}`),
    namespaceGoes:
      namespace === undefined
        ? undefined
        : JSON.stringify(namespace['managementPolicies']) === '["*"]',
  };
}

const alone = { exclusive: 'NoOtherStack', notices: [], namespaceGoes: true };
const resting = atRest(SPEC);
const own = resting['helm-release-celld'] ?? {};
const younger = { creationTimestamp: '2027-01-01T00:00:00Z' };

describe('conflicts between stacks', () => {
  it('asks for two label values and nothing else, so that an answer does not grow with the stacks', () => {
    assert.deepEqual(
      Object.values(requirements).map(({ kind, matchLabels }) => [kind, Object.keys(matchLabels)]),
      [
        ['Release', ['hops.ops.com.ai/target']],
        ['Release', ['hops.ops.com.ai/store']],
      ],
    );
  });

  const CASES: readonly {
    why: string;
    resources: Resources;
    required: { [name: string]: readonly JsonObject[] };
    expected: ReturnType<typeof outcome>;
  }[] = [
    { why: 'nothing was asked yet', resources: {}, required: {}, expected: alone },
    {
      why: 'its own Release is no other',
      resources: resting,
      required: { [NAMESPACE]: [own], [STORE]: [own] },
      expected: alone,
    },
    {
      why: 'a new stack is younger than any',
      resources: {},
      required: { [NAMESPACE]: [other(NAMESPACE)], [STORE]: [] },
      expected: {
        exclusive: 'NamespaceShared',
        notices: ['warning NamespaceShared'],
        namespaceGoes: false,
      },
    },
    {
      why: 'the older one is left in peace',
      resources: resting,
      required: {
        [NAMESPACE]: [own, other(NAMESPACE, younger)],
        [STORE]: [own, other(STORE, younger)],
      },
      expected: alone,
    },
    {
      why: 'one store under two fleets is the worse of two',
      resources: resting,
      required: { [NAMESPACE]: [own, other(NAMESPACE)], [STORE]: [own, other(STORE)] },
      expected: {
        exclusive: 'StoreShared',
        notices: ['warning NamespaceShared', 'warning StoreShared'],
        namespaceGoes: false,
      },
    },
    {
      why: 'a release name that is taken stops everything',
      resources: {},
      required: { [NAMESPACE]: [other(NAMESPACE, { name: 'demo' })], [STORE]: [] },
      expected: {
        exclusive: undefined,
        notices: ['fatal ReleaseNameTaken'],
        namespaceGoes: undefined,
      },
    },
    {
      why: 'of two born in one second the uid decides',
      resources: resting,
      required: {
        [NAMESPACE]: [
          own,
          other(NAMESPACE, { creationTimestamp: '2026-01-01T00:00:00Z', uid: 'a' }),
        ],
      },
      expected: {
        exclusive: 'NamespaceShared',
        notices: ['warning NamespaceShared'],
        namespaceGoes: false,
      },
    },
  ];
  for (const { why, resources, required, expected } of CASES) {
    it(why, () => assert.deepEqual(outcome(resources, required), expected));
  }

  const STORES: readonly { why: string; a: JsonObject; b: JsonObject; same: boolean }[] = [
    { why: 'one bucket and prefix', a: SPEC, b: SPEC, same: true },
    {
      why: 'a slash more is no other prefix',
      a: SPEC,
      b: { bucket: 's3://cells/prod/' },
      same: true,
    },
    { why: 'two prefixes are two stores', a: SPEC, b: { bucket: 's3://cells/test' }, same: false },
    {
      why: 'one name at two endpoints',
      a: SPEC,
      b: { ...SPEC, endpoint: 'https://s3.example.com' },
      same: false,
    },
    {
      why: 'a bucket made by one stack and used by another',
      a: { aws: { enabled: true, bucketName: 'cells' } },
      b: { bucket: 's3://cells' },
      same: true,
    },
  ];
  for (const { why, a, b, same } of STORES) {
    it(`tells stores apart: ${why}`, () => {
      const labelOf = (spec: JsonObject) => composeFirst(spec).requirements[STORE]?.matchLabels;
      assert.equal(JSON.stringify(labelOf(a)) === JSON.stringify(labelOf(b)), same);
    });
  }
});
