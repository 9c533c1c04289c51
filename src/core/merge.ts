// Merging values as Helm users expect it.
import { isObject, type Json, type JsonObject } from './json.ts';

/**
 * `over` laid over `base`: maps key by key, lists and everything else as a whole. A null takes a key
 * away, as in Helm, and never shows in the result, not even inside lists of maps.
 */
export function mergeValues(base: JsonObject, over: JsonObject): JsonObject {
  const merged = new Map<string, Json>(Object.entries(base));
  for (const [key, value] of Object.entries(over)) {
    const below = merged.get(key);
    if (value === null) merged.delete(key);
    else if (isObject(value)) merged.set(key, mergeValues(isObject(below) ? below : {}, value));
    else merged.set(key, withoutNulls(value));
  }
  return Object.fromEntries(merged);
}

function withoutNulls(value: Json): Json {
  if (Array.isArray(value)) return value.filter((item) => item !== null).map(withoutNulls);
  return isObject(value) ? mergeValues({}, value) : value;
}
