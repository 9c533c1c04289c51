// A JSON schema of a chart's values as a structural schema, so that one check does for both.
import { isList, isObject, type Json, type JsonObject } from '../core/json.ts';
import type { Schema } from './open-api-schema.ts';

/**
 * The structural form of a JSON schema without references and conditions. Objects that do not say
 * otherwise take any key, but the root: there a key nobody declared is a misspelled value.
 */
export function fromJsonSchema(schema: Json, isRoot = true): Schema {
  if (!isObject(schema)) return { 'x-kubernetes-preserve-unknown-fields': true };
  const { type, properties, items, additionalProperties, ...rest } = schema;
  const isOpen = additionalProperties === undefined || additionalProperties === true;
  return {
    ...(rest as Schema),
    ...typeOf(type),
    ...(isObject(properties) ? { properties: mapValues(properties) } : {}),
    ...(items === undefined ? {} : { items: fromJsonSchema(items, false) }),
    ...(isObject(additionalProperties)
      ? { additionalProperties: fromJsonSchema(additionalProperties, false) }
      : {}),
    ...(isOpen && !isRoot ? { 'x-kubernetes-preserve-unknown-fields': true } : {}),
  };
}

function mapValues(properties: JsonObject): { readonly [name: string]: Schema } {
  return Object.fromEntries(
    Object.entries(properties).map(([name, child]) => [name, fromJsonSchema(child, false)]),
  );
}

/** Of several types one may be null; two others leave the type open. */
function typeOf(type: Json | undefined): Schema {
  if (typeof type === 'string') return { type };
  if (!isList(type)) return {};
  const others = type.filter((one) => one !== 'null');
  const [only] = others;
  return {
    ...(typeof only === 'string' && others.length === 1 ? { type: only } : {}),
    nullable: type.includes('null'),
  };
}
