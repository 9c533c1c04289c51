// Observed states for an XR: what its composed resources may look like in a cluster, well or not.
import { type Json, type JsonObject, objectAt, stringAt } from '../../src/core/json.ts';
import { type Random, random } from './random.ts';

const READY = {
  type: 'Ready',
  status: 'True',
  reason: 'Available',
  lastTransitionTime: '2026-01-01T00:00:00Z',
};
const SYNCED = {
  type: 'Synced',
  status: 'True',
  reason: 'ReconcileSuccess',
  lastTransitionTime: '2026-01-01T00:00:00Z',
};
const UNREADY = { ...READY, status: 'False', reason: 'Unavailable' };
const CREATING = { ...READY, status: 'False', reason: 'Creating' };
const FAILED = {
  ...SYNCED,
  status: 'False',
  reason: 'ReconcileError',
  message: 'create failed: cannot reach the API server\nat 10.0.0.1',
};

/** Statuses of each kind, from none at all to done. */
const STATUSES: { readonly [kind: string]: readonly JsonObject[] } = {
  Release: [
    {},
    { atProvider: {}, conditions: [CREATING, SYNCED] },
    deployed('deployed', [READY, SYNCED]),
    deployed('deployed', [UNREADY, SYNCED]),
    deployed('failed', [UNREADY, SYNCED]),
    { atProvider: {}, conditions: [CREATING, FAILED] },
  ],
  Bucket: [
    {},
    { conditions: [CREATING, SYNCED] },
    { atProvider: { id: 'cells', arn: 'arn:aws:s3:::cells' }, conditions: [READY, SYNCED] },
    { atProvider: {}, conditions: [READY, SYNCED] },
    { conditions: [CREATING, FAILED] },
  ],
  PodIdentity: [
    {},
    { podIdentity: identity('Pending', false), conditions: [CREATING, SYNCED] },
    {
      podIdentity: identity('arn:aws:iam::123456789012:role/r', true),
      conditions: [READY, SYNCED],
    },
  ],
};
const OTHERS: readonly JsonObject[] = [
  {},
  { conditions: [READY, SYNCED] },
  { conditions: [CREATING, SYNCED] },
  { conditions: [FAILED] },
];

function deployed(state: string, conditions: readonly Json[]): JsonObject {
  return {
    atProvider: { state, revision: 2, version: '0.3.1', releaseDescription: 'Upgrade complete' },
    conditions,
    synced: true,
  };
}

function identity(arn: string, ready: boolean): JsonObject {
  return { role: { arn, ready }, association: { id: ready ? 'a-1' : '', ready } };
}

/** Some of the composed resources with some status each, for a seed. */
export function observedState(
  composed: readonly JsonObject[],
  seed: number,
): readonly JsonObject[] {
  const chance: Random = random(seed);
  return composed
    .filter(() => chance.chance(0.85))
    .map((object) => {
      const kind = stringAt(object, 'kind') ?? '';
      const status = chance.pick(STATUSES[kind] ?? OTHERS);
      const generation = 1 + chance.below(2);
      const metadata = { ...objectAt(object, 'metadata'), generation, uid: `uid-of-${kind}` };
      return { ...object, metadata, status };
    });
}
