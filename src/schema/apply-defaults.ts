// What the API server fills in and what it leaves out before it looks at an object.
import { isList, isObject, type Json, type JsonObject } from '../core/json.ts';
import { type Schema, schemaOfKey } from './open-api-schema.ts';

/**
 * The value with its defaults. A null where the schema allows none counts as absent: a default takes
 * its place, without one the field goes. The value given is not changed.
 */
export function applyDefaults(value: Json, schema: Schema): Json {
  if (isObject(value)) return objectDefaults(value, schema);
  if (isList(value)) return listDefaults(value, schema.items);
  return value;
}

function objectDefaults(value: JsonObject, schema: Schema): JsonObject {
  const entries = new Map<string, Json>();
  for (const [key, child] of Object.entries(value)) {
    const childSchema = schemaOfKey(schema, key);
    if (!isDropped(child, childSchema)) entries.set(key, child);
    else if (childSchema?.default !== undefined) entries.set(key, childSchema.default);
  }
  for (const [key, property] of Object.entries(schema.properties ?? {})) {
    if (property.default !== undefined && !entries.has(key)) entries.set(key, property.default);
  }
  return Object.fromEntries(
    [...entries].map(([key, child]) => {
      const childSchema = schemaOfKey(schema, key);
      return [key, childSchema === undefined ? child : applyDefaults(child, childSchema)];
    }),
  );
}

function listDefaults(value: readonly Json[], items: Schema | undefined): Json {
  if (items === undefined) return value;
  return value.map((child) => {
    const filled = isDropped(child, items) && items.default !== undefined ? items.default : child;
    return applyDefaults(filled, items);
  });
}

function isDropped(value: Json, schema: Schema | undefined): boolean {
  return value === null && schema !== undefined && schema.nullable !== true;
}
