// Values of CEL, and JSON as an expression sees it: by its schema, with integers, timestamps and escaped names.
import { isList, isObject, type Json, type JsonObject } from '../../core/json.ts';
import { type Schema, schemaOfValues } from '../open-api-schema.ts';
import { escapeName } from './names.ts';
import { parseDuration, parseTimestamp } from './time.ts';

export type Key = string | bigint | boolean;

export type Value = null | boolean | bigint | number | string | Uint8Array | Tagged;

/** A value that JavaScript has no type for. */
export type Tagged =
  | { readonly kind: 'uint'; readonly value: bigint }
  | ListValue
  | MapValue
  | { readonly kind: 'timestamp'; readonly nanos: bigint }
  | { readonly kind: 'duration'; readonly nanos: bigint }
  | { readonly kind: 'type'; readonly name: string }
  | OptionalValue
  | { readonly kind: 'quantity'; readonly nanos: bigint; readonly text: string }
  | UrlValue
  | IpValue
  | CidrValue
  | { readonly kind: 'format'; readonly name: string }
  | { readonly kind: 'semver'; readonly parts: readonly bigint[]; readonly pre: string };

export interface ListValue {
  readonly kind: 'list';
  readonly items: readonly Value[];
  /** In a list that is a set or a map order means nothing: the fields that tell items apart, none for a set. */
  readonly keys?: readonly string[];
}

export interface MapValue {
  readonly kind: 'map';
  readonly entries: ReadonlyMap<Key, Value>;
}

export interface OptionalValue {
  readonly kind: 'optional';
  readonly value?: Value;
}

export interface UrlValue {
  readonly kind: 'url';
  readonly scheme: string;
  readonly host: string;
  readonly path: string;
  readonly query: string;
}

export interface IpValue {
  readonly kind: 'ip';
  readonly bytes: readonly number[];
}

export interface CidrValue {
  readonly kind: 'cidr';
  readonly ip: IpValue;
  readonly bits: number;
}

/** The value if it has this tag, else undefined. */
export function tagged<K extends Tagged['kind']>(
  value: Value,
  kind: K,
): Extract<Tagged, { kind: K }> | undefined {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return undefined;
  return value.kind === kind ? (value as Extract<Tagged, { kind: K }>) : undefined;
}

/** A list value. */
export function listOf(items: readonly Value[]): ListValue {
  return { kind: 'list', items };
}

/** The kind of a value: a tag, or the CEL name of its type. */
export function kindOf(value: Value): string {
  if (value === null) return 'null';
  if (typeof value === 'bigint') return 'int';
  if (typeof value === 'number') return 'double';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'string') return 'string';
  return value instanceof Uint8Array ? 'bytes' : value.kind;
}

/** JSON as an expression sees it: only declared fields, and at the root of a resource its name. */
export function toValue(json: Json, schema: Schema, isRoot = false): Value {
  if (json === null) return null;
  if (typeof json === 'string') return textValue(json, schema);
  if (typeof json === 'number') return numberValue(json, schema);
  if (typeof json === 'boolean') return json;
  if (isList(json)) return listValue(json, schema);
  if (!isObject(json)) return null;
  return objectValue(json, schema, isRoot || schema['x-kubernetes-embedded-resource'] === true);
}

function textValue(text: string, schema: Schema): Value {
  switch (schema.type === 'string' ? schema.format : undefined) {
    case 'date':
    case 'date-time':
      return { kind: 'timestamp', nanos: parseTimestamp(text) ?? 0n };
    case 'duration':
      return { kind: 'duration', nanos: parseDuration(text) ?? 0n };
    case 'byte':
      return Uint8Array.from(Buffer.from(text, 'base64'));
    default:
      return text;
  }
}

function numberValue(number: number, schema: Schema): Value {
  return schema.type !== 'number' && Number.isInteger(number) ? BigInt(number) : number;
}

function listValue(list: readonly Json[], schema: Schema): Value {
  const { items = {}, 'x-kubernetes-list-type': type } = schema;
  const values = list.map((item) => toValue(item, items));
  if (type === 'set') return { kind: 'list', items: values, keys: [] };
  if (type !== 'map') return { kind: 'list', items: values };
  const keys = (schema['x-kubernetes-list-map-keys'] ?? []).map((key) => escapeName(key) ?? key);
  return { kind: 'list', items: values, keys };
}

const TEXT: Schema = { type: 'string' };
const ROOT_FIELDS: { readonly [field: string]: Schema } = {
  apiVersion: TEXT,
  kind: TEXT,
  metadata: { type: 'object', properties: { name: TEXT, generateName: TEXT } },
};

/** The properties an expression can reach: every resource has apiVersion, kind and a name. */
export function visibleProperties(
  schema: Schema,
  isRoot: boolean,
): { readonly [name: string]: Schema } {
  return isRoot ? { ...schema.properties, ...ROOT_FIELDS } : (schema.properties ?? {});
}

function objectValue(object: JsonObject, schema: Schema, isRoot: boolean): Value {
  const values = schemaOfValues(schema);
  const entries = new Map<Key, Value>();
  const isMap = values !== undefined;
  const isFree = schema.properties === undefined && !isRoot;
  const properties = visibleProperties(schema, isRoot);
  for (const [key, child] of Object.entries(object)) {
    const name = isMap ? key : escapeName(key);
    const childSchema =
      values ?? (Object.hasOwn(properties, key) ? properties[key] : isFree ? {} : undefined);
    if (name === undefined || childSchema === undefined) continue;
    entries.set(name, toValue(child, childSchema));
  }
  return { kind: 'map', entries };
}
