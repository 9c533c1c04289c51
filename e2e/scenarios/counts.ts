// What is counted of the recorded changes of a stack. Pure: nothing here talks to a cluster.
import { isObject, type JsonObject, listAt, valueAt } from '../../src/core/json.ts';

export interface Change {
  readonly at: number;
  readonly type: string;
  /** `Release/celld`. */
  readonly object: string;
  /** The XR it belongs to. */
  readonly xr: string;
  readonly value: JsonObject;
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
 * appears and two for each update, and gives one back each second. What is being deleted is free.
 */
export function leastBudget(changes: readonly Change[], xr: string): number {
  let [tokens, least, last] = [BURST, BURST, 0];
  const counted = changes.filter((one) => one.xr === xr && !isBeingDeleted(one.value));
  for (const change of counted) {
    const refill = last === 0 ? 0 : ((change.at - last) / 1000) * REFILL_PER_SECOND;
    tokens = Math.min(BURST, tokens + refill) - (change.type === 'MODIFIED' ? 2 : 1);
    least = Math.min(least, tokens);
    last = change.at;
  }
  return Math.floor(least);
}

function isBeingDeleted(object: JsonObject): boolean {
  return valueAt(object, 'metadata', 'deletionTimestamp') !== undefined;
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
