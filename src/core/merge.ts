// Merging values as Helm users expect it.
import { isObject, type Json, type JsonObject } from './json.ts';

/**
 * `over` laid over `base`: maps key by key, lists and everything else as a whole. A null takes a key
 * away, as in Helm, and never shows in the result, not even inside lists of maps.
 */
export function mergeValues(base: JsonObject, over: JsonObject): JsonObject {
  const merged: { [key: string]: Json } = { ...base };
  for (const key of Object.keys(over)) {
    const value = over[key] ?? null;
    if (value === null) delete merged[key];
    else put(merged, key, mergeValue(Object.hasOwn(merged, key) ? merged[key] : undefined, value));
  }
  return merged;
}

function mergeValue(below: Json | undefined, value: Json): Json {
  return isObject(value) ? mergeValues(isObject(below) ? below : {}, value) : withoutNulls(value);
}

/** Sets an own key, whatever its name. */
function put(into: { [key: string]: Json }, key: string, value: Json): void {
  if (key !== '__proto__') into[key] = value;
  else {
    const own = { value, enumerable: true, configurable: true, writable: true };
    Object.defineProperty(into, key, own);
  }
}

function withoutNulls(value: Json): Json {
  if (Array.isArray(value)) return value.filter((item) => item !== null).map(withoutNulls);
  return isObject(value) ? mergeValues({}, value) : value;
}
