// Types as the API server compares them: a number without a fraction is an integer.
import { isList, type Json } from '../core/json.ts';
import { type At, fail } from './check-place.ts';
import { type Finding, quote } from './finding.ts';
import { isChecked } from './formats.ts';
import type { Schema } from './open-api-schema.ts';

/** The type names a schema accepts; none when it accepts all. */
export function typesOf(schema: Schema): readonly string[] {
  if (schema['x-kubernetes-int-or-string'] === true) return ['integer', 'string'];
  return schema.type === undefined || schema.type === '' ? [] : [schema.type];
}

/** The API server's name for the type of a value. A number without a fraction is an integer. */
export function typeName(value: Json): string {
  if (value === null) return 'null';
  if (isList(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

/** A value whose type is not the schema's. Formats take part: the sentence then names the format. */
export function checkType(value: Json, schema: Schema, at: At): readonly Finding[] {
  const types = typesOf(schema);
  const format = isChecked(schema.format ?? '') ? (schema.format ?? '') : '';
  if (types.length === 0 && format === '') return [];
  if (value === null) return checkNull(types, schema, at);
  const found = typeName(value);
  if (types.includes(found) || (found === 'integer' && types.includes('number'))) return [];
  const isNumeric = types.includes('number') || types.includes('integer');
  const isTextual = typeof value === 'string' || isList(value);
  if (format === '' || (isTextual && isNumeric)) return wrongType(at, types.join(), found);
  // Texts and lists under a format are the format's business; anything else is told of the format.
  return isTextual ? [] : wrongFormat(at, types.join(), format, found);
}

function wrongFormat(at: At, types: string, format: string, found: string): readonly Finding[] {
  const own = { integer: 'int64', number: 'float64' }[found] ?? '';
  return own === format ? wrongType(at, types, found) : wrongType(at, format, own);
}

function checkNull(types: readonly string[], schema: Schema, at: At): readonly Finding[] {
  return types.length === 0 || schema.nullable === true ? [] : wrongType(at, types.join(), 'null');
}

/** The finding of a wrong type or format. */
export function wrongType(at: At, wanted: string, found: string): readonly Finding[] {
  return fail(
    at,
    'FieldValueTypeInvalid',
    `Invalid value: ${quote(found)}: ${at.text} in body must be of type ${wanted}: ${quote(found)}`,
  );
}
