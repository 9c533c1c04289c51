import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { celQueryOf, expectationOf, fleetAnswer } from '../../src/compose/fleet.ts';
import { isObject, type JsonObject, valueAt } from '../../src/core/json.ts';
import { atRest, composeWith, type Resources, valuesOf } from '../support/xr.ts';

const SPEC: JsonObject = { bucket: 's3://cells', replicaCount: 3 };
const resting = atRest(SPEC);
const expectation = expectationOf(valuesOf(composeWith(SPEC, resting)), true);

/** The resting fleet with one value in its manifest or condition changed. */
function fleetWith(value: unknown, ...path: readonly (string | number)[]): JsonObject {
  const copy = structuredClone(resting['fleet']) as JsonObject;
  const parent = valueAt(copy, ...path.slice(0, -1)) as Record<string | number, unknown>;
  parent[path.at(-1) ?? ''] = value;
  return copy;
}

const MANIFEST = ['status', 'atProvider', 'manifest'] as const;

describe('fleetAnswer()', () => {
  const CASES: readonly {
    why: string;
    fleet: JsonObject | undefined;
    current: boolean;
    arrived: boolean;
    asAsked: boolean;
  }[] = [
    {
      why: 'all is as asked',
      fleet: resting['fleet'],
      current: true,
      arrived: true,
      asAsked: true,
    },
    {
      why: 'nothing was observed',
      fleet: undefined,
      current: false,
      arrived: false,
      asAsked: false,
    },
    {
      why: 'an empty observation is no answer',
      fleet: fleetWith({}, 'status', 'atProvider'),
      current: false,
      arrived: false,
      asAsked: false,
    },
    {
      why: 'another question was asked',
      fleet: fleetWith('true', 'spec', 'readiness', 'celQuery'),
      current: false,
      arrived: false,
      asAsked: false,
    },
    {
      why: 'the provider has not looked at this generation',
      fleet: fleetWith(2, 'metadata', 'generation'),
      current: false,
      arrived: false,
      asAsked: false,
    },
    {
      why: 'a node is not ready',
      fleet: fleetWith(2, ...MANIFEST, 'status', 'readyReplicas'),
      current: true,
      arrived: true,
      asAsked: false,
    },
    {
      why: 'a pod is of the old template',
      fleet: fleetWith(2, ...MANIFEST, 'status', 'updatedReplicas'),
      current: true,
      arrived: true,
      asAsked: false,
    },
    {
      why: 'the StatefulSet has another size',
      fleet: fleetWith(1, ...MANIFEST, 'spec', 'replicas'),
      current: true,
      arrived: false,
      asAsked: false,
    },
    {
      why: 'the controller has not seen the template',
      fleet: fleetWith(0, ...MANIFEST, 'status', 'observedGeneration'),
      current: true,
      arrived: false,
      asAsked: false,
    },
    {
      why: 'the values have not arrived',
      fleet: fleetWith({}, ...MANIFEST, 'metadata', 'annotations'),
      current: true,
      arrived: false,
      asAsked: false,
    },
    {
      why: 'the image has not arrived',
      fleet: fleetWith(
        'ghcr.io/denoland/celld:0.6.1',
        ...MANIFEST,
        'spec',
        'template',
        'spec',
        'containers',
        0,
        'image',
      ),
      current: true,
      arrived: false,
      asAsked: false,
    },
  ];
  for (const { why, fleet, current, arrived, asAsked } of CASES) {
    it(why, () => {
      const answer = fleetAnswer(fleet, expectation);
      assert.deepEqual(
        [answer.current, answer.arrived, answer.asAsked],
        [current, arrived, asAsked],
      );
    });
  }

  it('reads the release from the image of the same repository, whatever stands around it', () => {
    const version = (image: string) =>
      fleetAnswer(
        fleetWith(image, ...MANIFEST, 'spec', 'template', 'spec', 'containers', 0, 'image'),
        expectation,
      ).version;
    assert.deepEqual(
      [
        version('ghcr.io/denoland/celld:0.6.1'),
        version(`ghcr.io/denoland/celld:0.6.1@sha256:${'0'.repeat(64)}`),
        version(`ghcr.io/denoland/celld@sha256:${'0'.repeat(64)}`),
        version('docker.io/istio/proxyv2:1.27'),
      ],
      ['0.6.1', '0.6.1', undefined, undefined],
    );
  });
});

describe('the fleet Object', () => {
  it('asks anew whenever something else is wanted', () => {
    const base = celQueryOf(expectation);
    const changes: readonly JsonObject[] = [
      { ...SPEC, replicaCount: 4 },
      { ...SPEC, image: { tag: '0.6.1' } },
      { ...SPEC, values: { resources: { limits: { memory: '1Gi' } } } },
      { ...SPEC, chartVersion: '0.3.2' },
    ];
    const queries = changes.map((spec) => {
      const object = composeWith(spec, resting).resources['fleet']?.object;
      return valueAt(object, 'spec', 'readiness', 'celQuery');
    });
    assert.equal(new Set([base, ...queries]).size, changes.length + 1);
  });

  it('keeps what was last known of the fleet in the status until there is news', () => {
    const known = { nodes: 3, readyNodes: 3, version: '0.6.2' };
    const { status } = composeWith(SPEC, resting);
    assert.deepEqual(status['fleet'], known);
    const blind: Resources = { ...resting, fleet: fleetWith(2, 'metadata', 'generation') };
    const before = composeWith(SPEC, blind);
    assert.deepEqual(before.status['fleet'], { nodes: 3 });
    assert.equal(isObject(before.status), true);
  });
});
