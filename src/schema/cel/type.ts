// Types of CEL, and what a schema is to an expression, with the largest size a value can have.
import { type Schema, schemaOfValues } from '../open-api-schema.ts';
import { escapeName } from './names.ts';
import { visibleProperties } from './value.ts';

/** A type; `max` is the largest size of a value the schema describes, absent when nothing bounds it. */
export type Type =
  | { readonly kind: SimpleKind; readonly max?: number }
  | { readonly kind: 'list'; readonly item: Type; readonly max?: number }
  | { readonly kind: 'map'; readonly key: Type; readonly value: Type; readonly max?: number }
  | { readonly kind: 'object'; readonly fields: ReadonlyMap<string, Type>; readonly max?: number }
  | { readonly kind: 'optional'; readonly item: Type; readonly max?: number }
  | { readonly kind: 'param'; readonly name: string; readonly max?: number };

const SIMPLE = [
  'bool',
  'int',
  'uint',
  'double',
  'string',
  'bytes',
  'null',
  'timestamp',
  'duration',
  'dyn',
  'type',
  'quantity',
  'url',
  'ip',
  'cidr',
  'format',
  'semver',
] as const;

export type SimpleKind = (typeof SIMPLE)[number];

const SCALARS: readonly string[] = [
  ...['bool', 'int', 'uint', 'double', 'timestamp', 'duration'],
  ...['quantity', 'url', 'ip', 'cidr', 'format', 'semver'],
];

/** Types whose values all have the same size. */
export function isScalar(type: Type): boolean {
  if (type.kind === 'optional') return isScalar(type.item);
  return SCALARS.includes(type.kind);
}

/** Reads a type as signatures write it: `string`, `list<A>`, `map<string, dyn>`. */
export function parseType(text: string): Type {
  const generic = /^(?<name>list|map|optional)<(?<of>.*)>$/u.exec(text)?.groups;
  if (generic !== undefined) {
    const parts = (generic['of'] ?? '').split(/, ?(?![^<]*>)/u).map(parseType);
    const [first = { kind: 'dyn' }, second = { kind: 'dyn' }] = parts as readonly Type[];
    if (generic['name'] === 'map') return { kind: 'map', key: first, value: second };
    return { kind: generic['name'] === 'list' ? 'list' : 'optional', item: first };
  }
  const simple = SIMPLE.find((kind) => kind === text);
  return simple === undefined ? { kind: 'param', name: text } : { kind: simple };
}

/** A type as cel-go prints it in its errors. */
export function formatType(type: Type): string {
  switch (type.kind) {
    case 'list':
      return `list(${formatType(type.item)})`;
    case 'map':
      return `map(${formatType(type.key)}, ${formatType(type.value)})`;
    case 'optional':
      return `optional_type(${formatType(type.item)})`;
    case 'param':
      return type.name;
    case 'null':
      return 'null';
    case 'timestamp':
      return 'google.protobuf.Timestamp';
    case 'duration':
      return 'google.protobuf.Duration';
    case 'quantity':
      return 'kubernetes.Quantity';
    case 'url':
      return 'kubernetes.URL';
    case 'ip':
      return 'net.IP';
    case 'cidr':
      return 'net.CIDR';
    default:
      return type.kind;
  }
}

export type Bindings = Map<string, Type>;

/** Whether a value of one type can stand where another is wanted; type parameters are bound on the way. */
export function accepts(wanted: Type, found: Type, bindings: Bindings): boolean {
  if (wanted.kind === 'param') {
    const bound = bindings.get(wanted.name);
    if (bound === undefined || bound.kind === 'dyn') {
      bindings.set(wanted.name, found);
      return true;
    }
    return accepts(bound, found, bindings);
  }
  if (wanted.kind === 'dyn' || found.kind === 'dyn' || found.kind === 'param') return true;
  if (wanted.kind === 'list' || wanted.kind === 'optional') {
    return found.kind === wanted.kind && accepts(wanted.item, found.item, bindings);
  }
  if (wanted.kind === 'map') {
    return (
      found.kind === 'map' &&
      accepts(wanted.key, found.key, bindings) &&
      accepts(wanted.value, found.value, bindings)
    );
  }
  if (wanted.kind === 'object') return found.kind === 'object' && sameFields(wanted, found);
  if (found.kind === 'null') return isNullable(wanted);
  return wanted.kind === found.kind;
}

function isNullable({ kind }: Type): boolean {
  return ['null', 'timestamp', 'duration', 'quantity', 'url', 'ip', 'cidr'].includes(kind);
}

function sameFields(a: Type & { kind: 'object' }, b: Type & { kind: 'object' }): boolean {
  return a === b || [...a.fields.keys()].join() === [...b.fields.keys()].join();
}

/** The type with its parameters replaced by what they were bound to; unbound ones are dynamic. */
export function bind(type: Type, bindings: Bindings): Type {
  switch (type.kind) {
    case 'param':
      return bindings.get(type.name) ?? { kind: 'dyn' };
    case 'list':
    case 'optional':
      return { kind: type.kind, item: bind(type.item, bindings) };
    case 'map':
      return { kind: 'map', key: bind(type.key, bindings), value: bind(type.value, bindings) };
    default:
      return type;
  }
}

/** The API server's default limit of a request, from which it reckons the largest values. */
const MAX_REQUEST = 3 * 1024 * 1024;

interface Described {
  readonly type: Type;
  /** The fewest bytes a value takes in a request. */
  readonly minBytes: number;
}

/** What a schema is to an expression; undefined when rules cannot see it. */
export function typeOfSchema(schema: Schema, isRoot = false): Type | undefined {
  return describe(schema, isRoot)?.type;
}

/** How often at most a value of this schema fits into one request. */
export function mostPerRequest(schema: Schema, isRoot = false): number {
  const described = describe(schema, isRoot);
  return described === undefined ? MAX_REQUEST : Math.floor(MAX_REQUEST / (described.minBytes + 1));
}

function describe(schema: Schema, isRoot = false): Described | undefined {
  const { maxLength } = schema;
  if (schema['x-kubernetes-int-or-string'] === true) {
    const max = maxLength === undefined ? MAX_REQUEST - 2 : maxLength * 4;
    return { type: { kind: 'dyn', max }, minBytes: 1 };
  }
  switch (schema.type) {
    case 'array':
      return describeList(schema);
    case 'object':
      return describeObject(schema, isRoot);
    case 'string':
      return describeText(schema);
    case 'boolean':
      return { type: { kind: 'bool', max: 0 }, minBytes: 4 };
    case 'number':
      return { type: { kind: 'double', max: 0 }, minBytes: 1 };
    case 'integer':
      return { type: { kind: 'int', max: 0 }, minBytes: 1 };
    default:
      return undefined;
  }
}

function describeEmbedded(schema: Schema): Described | undefined {
  return describe(schema, schema['x-kubernetes-embedded-resource'] === true);
}

function describeList(schema: Schema): Described | undefined {
  const item = schema.items === undefined ? undefined : describeEmbedded(schema.items);
  if (item === undefined) return undefined;
  const max = schema.maxItems ?? Math.floor((MAX_REQUEST - 2) / (item.minBytes + 1));
  return { type: { kind: 'list', item: item.type, max }, minBytes: 2 };
}

function describeObject(schema: Schema, isRoot: boolean): Described | undefined {
  const values = schemaOfValues(schema);
  if (values !== undefined) {
    const value = describeEmbedded(values);
    if (value === undefined) return undefined;
    const max = schema.maxProperties ?? Math.floor((MAX_REQUEST - 2) / (value.minBytes + 6));
    const key: Type = { kind: 'string', max: MAX_REQUEST - 2 };
    return { type: { kind: 'map', key, value: value.type, max }, minBytes: 2 };
  }
  const fields = new Map<string, Type>();
  let minBytes = 2;
  for (const [name, property] of Object.entries(visibleProperties(schema, isRoot))) {
    const field = describeEmbedded(property);
    if (field === undefined) continue;
    const escaped = escapeName(name);
    if (escaped !== undefined) fields.set(escaped, field.type);
    if (schema.required?.includes(name) && property.default === undefined) {
      minBytes += name.length + field.minBytes + 4;
    }
  }
  return { type: { kind: 'object', fields, max: 0 }, minBytes };
}

function describeText(schema: Schema): Described {
  const { maxLength } = schema;
  switch (schema.format) {
    case 'byte':
      return { type: { kind: 'bytes', max: maxLength ?? MAX_REQUEST - 2 }, minBytes: 2 };
    case 'duration':
      return { type: { kind: 'duration', max: 32 }, minBytes: 4 };
    case 'date':
      return { type: { kind: 'timestamp', max: 12 }, minBytes: 12 };
    case 'date-time':
      return { type: { kind: 'timestamp', max: 38 }, minBytes: 21 };
    default:
      return { type: { kind: 'string', max: longestText(schema) }, minBytes: 2 };
  }
}

/** A code point takes up to four bytes, and sizes count bytes. */
function longestText({ maxLength, enum: values = [] }: Schema): number {
  if (maxLength !== undefined) return maxLength * 4;
  if (values.length === 0) return MAX_REQUEST - 2;
  return Math.max(...values.map((value) => (typeof value === 'string' ? value.length : 0)));
}
