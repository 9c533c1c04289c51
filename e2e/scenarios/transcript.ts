// The recorded changes as a document a person reads: after how many seconds what changed on which object.
import { isObject, type Json, type JsonObject, objectAt, sameJson } from '../../src/core/json.ts';
import { printYaml } from '../../src/manifests/yaml.ts';
import type { Change } from './counts.ts';

/** Each change with only the parts of the object that differ from its last one; server bookkeeping left out. */
export function transcript(changes: readonly Change[]): string {
  const last = new Map<string, JsonObject>();
  const start = changes[0]?.at ?? 0;
  const events = changes.map((change) => {
    const now = shown(change.value);
    const before = last.get(change.object) ?? {};
    last.set(change.object, now);
    return {
      after: Math.round((change.at - start) / 100) / 10,
      event: `${change.type} ${change.object}`,
      ...(difference(before, now) as JsonObject),
    };
  });
  return printYaml(events);
}

function shown(object: JsonObject): JsonObject {
  const { managedFields: _, resourceVersion: __, ...metadata } = objectAt(object, 'metadata');
  return { ...object, metadata };
}

/** The parts of `after` that are not in `before`; a field that went is null. */
function difference(before: Json | undefined, after: Json): Json {
  if (!isObject(before) || !isObject(after)) return after;
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const changed = keys
    .filter((key) => !sameJson(before[key], after[key]))
    .map((key): [string, Json] => [key, difference(before[key], after[key] ?? null)]);
  return Object.fromEntries(changed);
}
