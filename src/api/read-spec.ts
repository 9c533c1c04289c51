// The spec of an XR as a typed value, with the defaults of the XRD.
//
// In a cluster the API server has done this already. It is done again here because a stored XR may be
// older than the XRD, because other tools call the function too, and because everything after this
// file may then rely on the types.
import { formatFieldPath } from '../core/field-path.ts';
import { isList, isObject, type Json, type JsonObject, objectAt } from '../core/json.ts';
import type { Problem } from '../core/problem.ts';
import { type CelldStackSpec, SPEC_SCHEMA } from './celld-stack.gen.ts';

export type SpecReading =
  | { readonly spec: CelldStackSpec; readonly problems?: undefined }
  | { readonly problems: readonly Problem[] };

interface Schema {
  readonly type?: string;
  readonly enum?: readonly Json[];
  readonly default?: Json;
  readonly required?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly properties?: { readonly [field: string]: Schema };
  readonly items?: Schema;
  readonly additionalProperties?: Schema;
}

/**
 * The spec of an XR with defaults filled in, or every field whose type or value is wrong. Nulls count
 * as absent, unknown fields are ignored, the XR is not changed.
 */
export function readSpec(xr: JsonObject): SpecReading {
  const problems: Problem[] = [];
  const spec = read(objectAt(xr, 'spec'), SPEC_SCHEMA as Schema, ['spec'], problems);
  return problems.length > 0 ? { problems } : { spec: spec as unknown as CelldStackSpec };
}

type Path = readonly (string | number)[];

function read(value: Json, schema: Schema, path: Path, problems: Problem[]): Json {
  const wrong = complaintAbout(value, schema);
  if (wrong !== undefined) {
    problems.push({ code: 'SPEC_INVALID', path: formatFieldPath(path), message: wrong });
    return value;
  }
  if (isList(value)) {
    const { items = {} } = schema;
    return value.map((item, index) => read(item, items, [...path, index], problems));
  }
  if (!isObject(value)) return value;
  if (schema.properties !== undefined) return readFields(value, schema, path, problems);
  const { additionalProperties } = schema;
  if (additionalProperties === undefined) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) => [
      key,
      read(child, additionalProperties, [...path, key], problems),
    ]),
  );
}

function readFields(value: JsonObject, schema: Schema, path: Path, problems: Problem[]): Json {
  const fields: [string, Json][] = [];
  for (const [field, child] of Object.entries(schema.properties ?? {})) {
    const given = Object.hasOwn(value, field) ? value[field] : undefined;
    const found = given ?? child.default;
    if (found !== undefined) fields.push([field, read(found, child, [...path, field], problems)]);
    else if (schema.required?.includes(field)) {
      const at = formatFieldPath([...path, field]);
      problems.push({ code: 'SPEC_INVALID', path: at, message: 'Required value' });
    }
  }
  return Object.fromEntries(fields);
}

function complaintAbout(value: Json, schema: Schema): string | undefined {
  if (schema.type !== undefined && typeOf(value) !== schema.type) {
    return `Invalid value: ${JSON.stringify(value)}: must be of type ${schema.type}`;
  }
  if (schema.enum !== undefined && !schema.enum.includes(value)) {
    const wanted = schema.enum.map((one) => JSON.stringify(one)).join(', ');
    return `Unsupported value: ${JSON.stringify(value)}: supported values: ${wanted}`;
  }
  if (typeof value === 'number') return boundComplaint(value, schema);
  return undefined;
}

function boundComplaint(value: number, { minimum, maximum }: Schema): string | undefined {
  if (minimum !== undefined && value < minimum) {
    return `Invalid value: ${value}: must be at least ${minimum}`;
  }
  if (maximum !== undefined && value > maximum) {
    return `Invalid value: ${value}: must be at most ${maximum}`;
  }
  return undefined;
}

function typeOf(value: Json): string {
  if (value === null) return 'null';
  if (isList(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}
