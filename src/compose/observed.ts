// What the status of an observed object says, whatever shape it is in: an absent or malformed part
// reads as "not known", never as an error.
import { isObject, type JsonObject, listAt, numberAt, stringAt } from '../core/json.ts';
import { publicMessage } from '../core/redact.ts';

/** The condition of that type, or undefined. */
export function conditionOf(object: JsonObject | undefined, type: string): JsonObject | undefined {
  return listAt(object, 'status', 'conditions')
    .filter(isObject)
    .find((condition) => condition['type'] === type);
}

/** True when the condition says True. */
export function isTrue(object: JsonObject | undefined, type: string): boolean {
  return conditionOf(object, type)?.['status'] === 'True';
}

/**
 * True when Synced is True for the spec as it is now. Conditions of older runtimes carry no
 * generation and count as current.
 */
export function isSynced(object: JsonObject | undefined): boolean {
  const condition = conditionOf(object, 'Synced');
  const generation = numberAt(object, 'metadata', 'generation');
  const observed = numberAt(condition, 'observedGeneration') ?? generation;
  return condition?.['status'] === 'True' && observed === generation;
}

/** The provider's own words when it could not do its work: one line, without secrets. */
export function failureOf(object: JsonObject | undefined): string | undefined {
  const synced = conditionOf(object, 'Synced');
  if (synced?.['status'] !== 'False') return undefined;
  const message = stringAt(synced, 'message') ?? stringAt(synced, 'reason');
  return message === undefined ? undefined : publicMessage(message);
}

/** `Bucket demo-s3`, with the name it has or would have. */
export function titleOf(object: JsonObject): string {
  return `${stringAt(object, 'kind') ?? 'object'} ${stringAt(object, 'metadata', 'name') ?? ''}`.trim();
}
