// The promises of the design, checked on the API server's own objects.
import assert from 'node:assert/strict';
import {
  isObject,
  type JsonObject,
  listAt,
  numberAt,
  stringAt,
  valueAt,
} from '../../src/core/json.ts';
import type { Stage } from './stage.ts';

/** What must not change when nothing was asked for: identity, and that nothing is being deleted. */
export interface Identity {
  readonly uid: string;
  readonly deleted: boolean;
}

/** The identity of each composed object and each pod of a stack. */
export async function identities(stage: Stage, name: string): Promise<{ [key: string]: Identity }> {
  const all: { [key: string]: Identity } = {};
  for (const [key, object] of await stage.composed(name)) all[key] = identityOf(object);
  for (const [key, pod] of await stage.pods()) all[`Pod/${key}`] = identityOf(pod);
  return all;
}

function identityOf(object: JsonObject): Identity {
  return {
    uid: stringAt(object, 'metadata', 'uid') ?? '',
    deleted: stringAt(object, 'metadata', 'deletionTimestamp') !== undefined,
  };
}

/** Release generations and Helm revisions: they grow when a release is changed. */
export async function releaseRevision(stage: Stage, name: string): Promise<JsonObject> {
  const release = await stage.cluster.get(stage.release(name));
  return {
    generation: numberAt(release, 'metadata', 'generation') ?? 0,
    revision: numberAt(release, 'status', 'atProvider', 'revision') ?? 0,
  };
}

/** Throws unless the API server refuses to delete the object because a Usage protects it. */
export async function assertProtected(
  stage: Stage,
  reference: Parameters<Stage['cluster']['remove']>[0],
): Promise<void> {
  await assert.rejects(
    stage.cluster.remove(reference),
    (error: Error) => /in-use|usage/iu.test(error.message),
    `${reference.kind} ${reference.name} can be deleted by hand: expected a Usage to protect it`,
  );
}

/** Throws unless the stack's namespace on the target cluster is gone, and with it everything in it. */
export async function assertTargetGone(stage: Stage): Promise<void> {
  await stage.until(`namespace ${stage.target} is gone`, async () => {
    const found = await stage.cluster.find({
      apiVersion: 'v1',
      kind: 'Namespace',
      name: stage.target,
    });
    return found === undefined;
  });
}

/** The order in which objects went, from the recorder, each once. */
export function deletionOrder(stage: Stage, name: string): readonly string[] {
  return stage.recorder
    .changes()
    .filter((one) => one.xr === name && one.type === 'DELETED')
    .map((one) => one.object);
}

/** Throws unless the first object went before the second. */
export function assertGoneBefore(stage: Stage, name: string, first: string, second: string): void {
  const order = deletionOrder(stage, name);
  const [a, b] = [order.indexOf(first), order.indexOf(second)];
  assert.ok(
    a >= 0 && b >= 0 && a < b,
    `${first} must go before ${second}: the order was ${order.join(', ')}`,
  );
}

/** The env of the celld container in the fleet's StatefulSet. */
export async function fleetOf(stage: Stage): Promise<JsonObject> {
  const sets = await stage.cluster.list('apps/v1', 'StatefulSet', stage.target);
  assert.equal(sets.length, 1, `expected one StatefulSet in ${stage.target}, found ${sets.length}`);
  const [set] = sets;
  return set as JsonObject;
}

/** A variable of any container of the fleet. */
export function variableOf(set: JsonObject, name: string): string | undefined {
  const containers = listAt(set, 'spec', 'template', 'spec', 'containers').filter(isObject);
  for (const container of containers) {
    const found = listAt(container, 'env').find((one) => valueAt(one, 'name') === name);
    if (found !== undefined) return stringAt(found, 'value');
  }
  return undefined;
}
