// Every observation of a stack lost in turn, for one reconcile: nothing that runs may notice.
import assert from 'node:assert/strict';
import { type JsonObject, objectAt, valueAt } from '../../src/core/json.ts';
import { type Reference, referenceOf } from '../control-plane/cluster.ts';
import { identities, releaseRevision } from './promises.ts';
import type { Scenario, Stage } from './stage.ts';

/** What can be missing from an observed status, as a merge patch that takes it away. */
const LOSSES: readonly {
  readonly what: string;
  readonly patch: (object: JsonObject) => JsonObject | undefined;
}[] = [
  { what: 'whole status', patch: (object) => emptied(objectAt(object, 'status')) },
  { what: 'conditions', patch: (object) => only(object, 'conditions') },
  { what: 'atProvider', patch: (object) => only(object, 'atProvider') },
  {
    what: 'id',
    patch: (object) =>
      valueAt(object, 'status', 'atProvider', 'id') === undefined
        ? undefined
        : { atProvider: { id: null } },
  },
  { what: 'podIdentity', patch: (object) => only(object, 'podIdentity') },
];

export const LOST_OBSERVATIONS: Scenario = {
  name: 'lost-observations',
  why: 'each status, id and condition lost for one reconcile leaves Release, Usages, Namespace, Bucket and pods untouched',
  run: async (stage) => {
    await stage.apply('celld', { replicaCount: 2, aws: { enabled: true, bucketName: 'e2e-lost' } });
    await stage.untilReady('celld');
    const before = await identities(stage, 'celld');
    const revision = await releaseRevision(stage, 'celld');
    assert.equal(
      Object.values(before).some((one) => one.deleted),
      false,
    );
    for (const object of (await stage.composed('celld')).values()) {
      for (const { what, patch } of LOSSES) {
        const loss = patch(object);
        if (loss === undefined) continue;
        await loseAndRestore(stage, referenceOf(object), loss);
        const after = await identities(stage, 'celld');
        const { kind, name } = referenceOf(object);
        assert.deepEqual(after, before, `${kind} ${name} without its ${what} changed what exists`);
        assert.deepEqual(
          await releaseRevision(stage, 'celld'),
          revision,
          `${kind} ${name} without its ${what} changed the Release`,
        );
      }
    }
    await stage.untilReady('celld');
    await stage.removeAndSeeNothingLeft('celld');
  },
};

/** Takes a part of a status away until the function has seen it so, then puts it back. */
async function loseAndRestore(stage: Stage, at: Reference, loss: JsonObject): Promise<void> {
  const { aws, podIdentity } = stage.played;
  const status = objectAt(await stage.cluster.get(at), 'status');
  aws.pause(true);
  podIdentity.pause(true);
  try {
    const calls = stage.calls();
    await stage.cluster.merge(at, { status: loss }, 'status');
    await stage.until(
      `the function saw ${at.kind} ${at.name} without it`,
      async () => stage.calls() > calls,
      20,
    );
    // What the function no longer wanted would be deleted in the same second, its pods within three.
    await new Promise((resolve) => setTimeout(resolve, 1500));
    await stage.cluster.merge(at, { status }, 'status');
  } finally {
    aws.pause(false);
    podIdentity.pause(false);
  }
}

function emptied(status: JsonObject): JsonObject | undefined {
  const keys = Object.keys(status);
  return keys.length === 0 ? undefined : Object.fromEntries(keys.map((key) => [key, null]));
}

function only(object: JsonObject, field: string): JsonObject | undefined {
  return valueAt(object, 'status', field) === undefined ? undefined : { [field]: null };
}
