// Laws that hold for any spec and any cluster.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { compose } from '../../src/compose/compose.ts';
import type { Observation } from '../../src/compose/composed.ts';
import { KEYS } from '../../src/compose/keys.ts';
import { isList, isObject, type Json, type JsonObject } from '../../src/core/json.ts';
import { atRest, xr } from '../support/xr.ts';
import { MODES } from './modes.ts';

const modes = Object.values(MODES);
const resting = modes.map((spec) => ({ spec, resources: atRest(spec) }));

/** Values as they come out of JSON, which knows no negative zero. */
const json = fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value)) as Json);

const options: fc.Arbitrary<JsonObject> = fc.record(
  {
    replicaCount: fc.integer({ min: 1, max: 9 }),
    namespace: fc.constantFrom('celld', 'team-a', 'default'),
    createNamespace: fc.boolean(),
    releaseName: fc.constantFrom('demo', 'my-celld', 'r'.repeat(53)),
    chartVersion: fc.constantFrom('0.3.1', '0.4.0'),
    image: fc.record(
      { tag: fc.constantFrom('0.3.0', '0.5.1', '0.6.2', '9.9.9', 'latest') },
      { requiredKeys: [] },
    ),
    durability: fc.constantFrom('fleet', 'bucket'),
    managementPolicies: fc.constantFrom(['*'], ['Observe'], ['Create', 'Delete']),
    upgrade: fc.record({ strategy: fc.constantFrom('Auto', 'Rolling', 'Recreate') }),
    bootstrap: fc.record({ enabled: fc.boolean() }),
    labels: fc.dictionary(fc.stringMatching(/^[a-z]{1,9}$/u), fc.stringMatching(/^[a-z]{1,9}$/u)),
    values: fc.dictionary(
      fc.constantFrom('image', 'celld', 'replicaCount', 'service', '__proto__', 'x'),
      json,
    ),
  } as Record<string, fc.Arbitrary<unknown>>,
  { requiredKeys: [] },
) as unknown as fc.Arbitrary<JsonObject>;

const specs = fc
  .tuple(fc.constantFrom(...modes), options)
  .map(([mode, more]): JsonObject => ({ ...more, ...mode }));

/** A resource as a cluster might hold it, as a broken cache might, or as nobody would. */
const broken: fc.Arbitrary<JsonObject> = fc.oneof(
  fc.constant({}),
  fc.constant({ metadata: null, status: null, spec: [] } as JsonObject),
  fc.constant({ status: { conditions: 'none', atProvider: 3 } } as JsonObject),
  fc.record({
    metadata: json,
    spec: json,
    status: json,
  }) as fc.Arbitrary<JsonObject>,
);

const observations = fc
  .tuple(
    specs,
    fc.constantFrom(...resting),
    fc.dictionary(fc.constantFrom(...Object.values(KEYS)), broken),
    fc.subarray(Object.values(KEYS)),
  )
  .map(([spec, { resources }, damage, lost]): Observation => {
    const kept = Object.entries(resources).filter(([key]) => !lost.includes(key as never));
    return { xr: xr(spec), resources: { ...Object.fromEntries(kept), ...damage }, required: {} };
  });

function shuffled(value: Json): Json {
  if (isList(value)) return value.map(shuffled);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, child]) => [key, shuffled(child)]),
  );
}

function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    for (const child of Object.values(value)) frozen(child);
    Object.freeze(value);
  }
  return value;
}

const isFatal = (observation: Observation) =>
  compose(observation).notices.some(({ severity }) => severity === 'fatal');

describe('compose()', () => {
  it('gives an answer to any observation, changes none and needs no clock', () => {
    fc.assert(
      fc.property(observations, (observation) => {
        assert.equal(
          JSON.stringify(compose(frozen(observation))),
          JSON.stringify(compose(frozen(observation))),
        );
      }),
      { numRuns: 150 },
    );
  });

  it('gives the same bytes for any order of keys', () => {
    fc.assert(
      fc.property(observations, (observation) => {
        const other = shuffled(observation as unknown as Json) as unknown as Observation;
        assert.equal(sorted(compose(other)), sorted(compose(observation)));
      }),
      { numRuns: 100 },
    );
  });

  it('never drops a live resource that holds something, whatever else is lost or broken', () => {
    const precious = Object.values(KEYS).filter((key) => key !== KEYS.encryption);
    fc.assert(
      fc.property(observations, (observation) => {
        if (isFatal(observation)) return;
        const { resources } = compose(observation);
        const dropped = precious.filter(
          (key) => observation.resources[key] !== undefined && resources[key] === undefined,
        );
        assert.deepEqual(dropped, []);
      }),
      { numRuns: 150 },
    );
  });

  it('changes nothing when it refuses', () => {
    fc.assert(
      fc.property(observations, (observation) => {
        const composed = compose(observation);
        if (!isFatal(observation)) return;
        assert.deepEqual(composed.resources, {});
        assert.deepEqual([...new Set(composed.notices.map(({ severity }) => severity))], ['fatal']);
      }),
    );
  });

  it('composes what Kubernetes can store: JSON without undefined', () => {
    fc.assert(
      fc.property(observations, (observation) => {
        const { resources, status } = compose(observation);
        assert.deepEqual(JSON.parse(JSON.stringify({ resources, status })), { resources, status });
      }),
    );
  });
});

/** The answer as text; Crossplane sorts maps itself, so that only lists keep an order of ours. */
function sorted(value: unknown): string {
  return JSON.stringify(value, (_key, child: unknown) =>
    isObject(child)
      ? Object.fromEntries(Object.entries(child).sort(([a], [b]) => (a < b ? -1 : 1)))
      : child,
  );
}
