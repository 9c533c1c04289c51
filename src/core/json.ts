// JSON values as they travel between Kubernetes, Crossplane and us: plain, readonly, without undefined.

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: Json;
}

/** True for a JSON object, that is neither a list nor null. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** True for a JSON list. */
export function isList(value: unknown): value is readonly Json[] {
  return Array.isArray(value);
}

/**
 * The value at a path of keys and indexes, or undefined where the path leaves the value.
 * Only own keys are followed, so that `constructor` or `__proto__` in a path finds nothing.
 */
export function valueAt(value: unknown, ...path: readonly (string | number)[]): Json | undefined {
  let current: unknown = value;
  for (const key of path) {
    if (isList(current) && typeof key === 'number') current = current[key];
    else if (isObject(current) && Object.hasOwn(current, key)) current = current[key];
    else return undefined;
  }
  return current as Json | undefined;
}

/** The object at a path, or an empty one. */
export function objectAt(value: unknown, ...path: readonly (string | number)[]): JsonObject {
  const found = valueAt(value, ...path);
  return isObject(found) ? found : {};
}

/** The list at a path, or an empty one. */
export function listAt(value: unknown, ...path: readonly (string | number)[]): readonly Json[] {
  const found = valueAt(value, ...path);
  return isList(found) ? found : [];
}

/** The non-empty string at a path, or undefined: an empty string says no more than an absent one. */
export function stringAt(
  value: unknown,
  ...path: readonly (string | number)[]
): string | undefined {
  const found = valueAt(value, ...path);
  return typeof found === 'string' && found !== '' ? found : undefined;
}

/** The finite number at a path, or undefined. */
export function numberAt(
  value: unknown,
  ...path: readonly (string | number)[]
): number | undefined {
  const found = valueAt(value, ...path);
  return typeof found === 'number' && Number.isFinite(found) ? found : undefined;
}

/**
 * Compares by code point, as Go sorts strings. JavaScript compares UTF-16 units, which differs only where
 * one side has a surrogate, that is a character above U+FFFF.
 */
export function compareStrings(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const [left, right] = [a.charCodeAt(i), b.charCodeAt(i)];
    if (left === right) continue;
    const surrogates = Number(isSurrogate(left)) - Number(isSurrogate(right));
    return surrogates === 0 ? left - right : surrogates;
  }
  return a.length - b.length;
}

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff;
}

/** The same value with the keys of every object in code point order; lists keep their order. */
export function sortKeys<T extends Json>(value: T): T {
  if (isList(value)) return value.map(sortKeys) as unknown as T;
  if (!isObject(value)) return value;
  const entries = Object.entries(value).sort(([a], [b]) => compareStrings(a, b));
  return Object.fromEntries(entries.map(([key, child]) => [key, sortKeys(child)])) as T;
}

/** The one text of a value, whatever the order of its keys: for hashes and comparisons. */
export function canonicalText(value: Json): string {
  return JSON.stringify(sortKeys(value));
}

/** True when two values are the same JSON, whatever the order of their keys. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (isList(a) && isList(b)) {
    return a.length === b.length && a.every((child, i) => sameJson(child, b[i]));
  }
  if (!isObject(a) || !isObject(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && sameJson(a[key], b[key]))
  );
}
