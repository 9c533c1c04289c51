// Which part of the old object a part of the new one replaces. Only lists with keys can be compared item by item.
import { isList, isObject, type Json, sameJson } from '../core/json.ts';
import type { Schema } from './open-api-schema.ts';

/** The old value under a key, or undefined. */
export function correlatedKey(old: Json | undefined, key: string): Json | undefined {
  return isObject(old) && Object.hasOwn(old, key) ? old[key] : undefined;
}

/** The old item with the same keys, in a list that is a map; undefined in every other list. */
export function correlatedItem(
  schema: Schema,
  item: Json,
  old: Json | undefined,
): Json | undefined {
  if (schema['x-kubernetes-list-type'] !== 'map' || !isList(old)) return undefined;
  const keys = mapKey(schema, item);
  return old.find((candidate) => sameJson(mapKey(schema, candidate), keys));
}

/** The key fields of an item of a list that is a map; absent ones are left out. */
export function mapKey(schema: Schema, item: Json): Json {
  if (!isObject(item)) return null;
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  return Object.fromEntries(
    keys
      .filter((key) => Object.hasOwn(item, key))
      .map((key): [string, Json] => [key, item[key] ?? null]),
  );
}
