// Fields the schema does not declare: the API server refuses them when asked to be strict, else drops them.
import { type FieldPath, formatFieldPath } from '../core/field-path.ts';
import { isList, isObject, type Json, type JsonObject } from '../core/json.ts';
import type { Finding } from './finding.ts';
import { type Schema, schemaOfValues } from './open-api-schema.ts';

/** A value without what its schema does not declare, and where that was. */
export interface Pruned {
  readonly value: Json;
  readonly unknown: readonly FieldPath[];
}

/**
 * Drops what the schema does not declare. The root of a resource, embedded ones too, always has
 * apiVersion, kind and metadata, which have a check of their own.
 */
export function pruneUnknown(value: Json, schema: Schema): Pruned {
  return prune(value, { ...schema, 'x-kubernetes-embedded-resource': true }, []);
}

function prune(value: Json, schema: Schema | undefined, path: FieldPath): Pruned {
  const keeps = schema?.['x-kubernetes-preserve-unknown-fields'] === true;
  if (isList(value)) {
    // A list that keeps unknown fields keeps those of its items.
    const items = keeps ? keeping(schema?.items) : schema?.items;
    if (keeps && items === undefined) return { value, unknown: [] };
    const pruned = value.map((item, index) => prune(item, items, [...path, index]));
    return {
      value: pruned.map((item) => item.value),
      unknown: pruned.flatMap((item) => item.unknown),
    };
  }
  return isObject(value) ? pruneObject(value, schema, path, keeps) : { value, unknown: [] };
}

function keeping(schema: Schema | undefined): Schema | undefined {
  return schema && { ...schema, 'x-kubernetes-preserve-unknown-fields': true };
}

function pruneObject(
  value: JsonObject,
  schema: Schema | undefined,
  path: FieldPath,
  keeps: boolean,
): Pruned {
  const unknown: FieldPath[] = [];
  const kept: [string, Json][] = [];
  for (const [key, child] of Object.entries(value)) {
    const declared = declaration(schema, key);
    if (declared === 'root' || (declared === undefined && keeps)) {
      kept.push([key, child]);
    } else if (declared === undefined) {
      unknown.push([...path, key]);
    } else {
      const inner = prune(child, declared.schema, [...path, key]);
      unknown.push(...inner.unknown);
      kept.push([key, inner.value]);
    }
  }
  return { value: Object.fromEntries(kept), unknown };
}

/** What a schema says of a key: nothing, its schema, any value (no schema), or that every resource has it. */
function declaration(
  schema: Schema | undefined,
  key: string,
): 'root' | { readonly schema: Schema | undefined } | undefined {
  if (schema === undefined) return undefined;
  if (schema['x-kubernetes-embedded-resource'] === true && ROOT_KEYS.includes(key)) return 'root';
  const { properties, additionalProperties } = schema;
  if (properties !== undefined && Object.hasOwn(properties, key))
    return { schema: properties[key] };
  if (additionalProperties === undefined || additionalProperties === false) return undefined;
  return { schema: schemaOfValues(schema) };
}

const ROOT_KEYS = ['apiVersion', 'kind', 'metadata'];

/** The finding of an unknown field, as strict decoding words it. */
export function unknownField(path: FieldPath): Finding {
  const field = formatFieldPath(path);
  return {
    type: 'unknownField',
    path,
    field,
    reason: 'FieldValueInvalid',
    message: `unknown field "${field}"`,
    code: 'FIELD_UNKNOWN',
  };
}
