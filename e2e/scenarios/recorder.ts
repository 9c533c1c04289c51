// What happened to the objects of one namespace: each change counted as core's watch circuit breaker counts it.
import { isObject, type JsonObject, listAt, stringAt, valueAt } from '../../src/core/json.ts';
import type { Cluster } from '../control-plane/cluster.ts';

/** The kinds of a stack and the XR itself. */
export const STACK_KINDS: readonly (readonly [apiVersion: string, kind: string])[] = [
  ['hops.ops.com.ai/v1alpha1', 'CelldStack'],
  ['helm.m.crossplane.io/v1beta1', 'Release'],
  ['kubernetes.m.crossplane.io/v1alpha1', 'Object'],
  ['protection.crossplane.io/v1beta1', 'Usage'],
  ['s3.aws.m.upbound.io/v1beta1', 'Bucket'],
  ['s3.aws.m.upbound.io/v1beta1', 'BucketPublicAccessBlock'],
  ['s3.aws.m.upbound.io/v1beta1', 'BucketServerSideEncryptionConfiguration'],
  ['aws.hops.ops.com.ai/v1alpha1', 'PodIdentity'],
];

export interface Change {
  readonly at: number;
  readonly type: string;
  /** `Release/celld`. */
  readonly object: string;
  /** The XR it belongs to. */
  readonly xr: string;
  readonly value: JsonObject;
}

export interface Recorder {
  readonly changes: () => readonly Change[];
  readonly stop: () => void;
}

/** Records every change of a stack's kinds in a namespace, from now on. */
export async function record(cluster: Cluster, namespace: string): Promise<Recorder> {
  const changes: Change[] = [];
  const stops = await Promise.all(
    STACK_KINDS.map(([apiVersion, kind]) =>
      cluster.watch(apiVersion, kind, namespace, (type, value) => {
        const object = `${kind}/${stringAt(value, 'metadata', 'name') ?? ''}`;
        changes.push({ at: Date.now(), type, object, xr: xrOf(value, kind), value });
      }),
    ),
  );
  return {
    changes: () => changes,
    stop: () => {
      for (const stop of stops) stop();
    },
  };
}

function xrOf(object: JsonObject, kind: string): string {
  if (kind === 'CelldStack') return stringAt(object, 'metadata', 'name') ?? '';
  const owner = listAt(object, 'metadata', 'ownerReferences')
    .filter(isObject)
    .find((one) => one['controller'] === true);
  return stringAt(owner, 'name') ?? '';
}

/** True when a condition of the object is True. */
export function isTrue(object: unknown, type: string): boolean {
  return conditionOf(object, type)?.['status'] === 'True';
}

/** A condition of an object. */
export function conditionOf(object: unknown, type: string): JsonObject | undefined {
  return listAt(object, 'status', 'conditions')
    .filter(isObject)
    .find((one) => one['type'] === type);
}

/** Seconds from an XR's first appearance to its first Ready=True; undefined when it never was. */
export function secondsToReady(changes: readonly Change[], xr: string): number | undefined {
  const own = changes.filter((one) => one.object === `CelldStack/${xr}`);
  const ready = own.find((one) => isTrue(one.value, 'Ready'));
  const [first] = own;
  return first === undefined || ready === undefined ? undefined : (ready.at - first.at) / 1000;
}

const BURST = 100;
const REFILL_PER_SECOND = 1;

/**
 * The fewest tokens that were left in the XR's watch budget: core takes one for each object that
 * appears or goes and two for each update, and gives one back each second.
 */
export function leastBudget(changes: readonly Change[], xr: string): number {
  let [tokens, least, last] = [BURST, BURST, 0];
  for (const change of changes.filter((one) => one.xr === xr)) {
    const refill = last === 0 ? 0 : ((change.at - last) / 1000) * REFILL_PER_SECOND;
    tokens = Math.min(BURST, tokens + refill) - (change.type === 'MODIFIED' ? 2 : 1);
    least = Math.min(least, tokens);
    last = change.at;
  }
  return Math.floor(least);
}

/** How often each object was written, most written first. */
export function writesByObject(
  changes: readonly Change[],
  xr: string,
): readonly [string, number][] {
  const counts = new Map<string, number>();
  for (const { object } of changes.filter((one) => one.xr === xr)) {
    counts.set(object, (counts.get(object) ?? 0) + 1);
  }
  return [...counts].sort(([, a], [, b]) => b - a);
}

/** True when the XR's watch breaker was open at any time, by its own condition. */
export function breakerOpened(changes: readonly Change[], xr: string): boolean {
  return changes.some(
    (one) =>
      one.object === `CelldStack/${xr}` &&
      valueAt(conditionOf(one.value, 'Responsive'), 'status') === 'False',
  );
}
