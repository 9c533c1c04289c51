// A value against its schema, in the API server's order and words (kube-openapi's validator).
import { isList, isObject, type Json, type JsonObject, sameJson } from '../core/json.ts';
import { checkCombinations } from './check-combinations.ts';
import { type At, fail, invalid } from './check-place.ts';
import { checkType, wrongType } from './check-type.ts';
import { correlatedItem, correlatedKey } from './correlate.ts';
import { type Finding, quote, valueText } from './finding.ts';
import { hasFormat } from './formats.ts';
import { type Schema, schemaOfValues } from './open-api-schema.ts';
import { compilePattern } from './pattern.ts';

/**
 * What the schema alone has against a value. With the value it replaces, a part that has not changed
 * is not checked again: an old object stays updatable after its schema got stricter.
 */
export function checkValue(value: Json, schema: Schema, old?: Json): readonly Finding[] {
  return check(value, schema, { path: [], text: '' }, old);
}

function check(value: Json, schema: Schema, at: At, old: Json | undefined): readonly Finding[] {
  if (old !== undefined && sameJson(value, old)) return [];
  if (value === null) return [...checkType(value, schema, at), ...checkEnum(value, schema, at)];
  return [
    ...checkType(value, schema, at),
    ...checkCombinations(value, schema, at, (one) => check(value, one, at, undefined)),
    ...(typeof value === 'string' ? checkString(value, schema, at) : []),
    ...(typeof value === 'number' ? checkNumber(value, schema, at) : []),
    ...(isList(value) ? checkList(value, schema, at, old) : []),
    ...checkEnum(value, schema, at),
    ...(isObject(value) ? checkObject(value, schema, at, old) : []),
  ];
}

function checkString(value: string, schema: Schema, at: At): readonly Finding[] {
  return [...checkText(value, schema, at), ...checkFormat(value, schema, at)];
}

/** Lengths count code points, though the sentence says bytes. */
function checkText(value: string, schema: Schema, at: At): readonly Finding[] {
  const { maxLength, minLength, pattern } = schema;
  const length = maxLength === undefined && minLength === undefined ? 0 : [...value].length;
  if (maxLength !== undefined && length > maxLength) {
    return fail(at, 'FieldValueTooLong', `Too long: may not be more than ${maxLength} bytes`);
  }
  if (minLength !== undefined && length < minLength) {
    return invalid(at, value, `should be at least ${minLength} chars long`);
  }
  if (pattern === undefined || pattern === '') return [];
  const compiled = compilePattern(pattern);
  if ('error' in compiled) {
    return invalid(
      at,
      value,
      `cannot be matched, '${pattern}' is no RE2 pattern: ${compiled.error}`,
    );
  }
  return compiled.regexp.matcher(value).find()
    ? []
    : invalid(at, value, `should match '${pattern}'`);
}

function checkFormat(value: string, schema: Schema, at: At): readonly Finding[] {
  const format = schema.format ?? '';
  return hasFormat(value, format) ? [] : wrongType(at, format, value);
}

function checkNumber(value: number, schema: Schema, at: At): readonly Finding[] {
  const { multipleOf, maximum, minimum, exclusiveMaximum, exclusiveMinimum } = schema;
  const findings: Finding[] = [];
  if (multipleOf !== undefined && !Number.isInteger(value / multipleOf)) {
    findings.push(...invalid(at, value, `should be a multiple of ${multipleOf}`));
  }
  if (maximum !== undefined && (exclusiveMaximum ? value >= maximum : value > maximum)) {
    const than = exclusiveMaximum ? 'less than' : 'less than or equal to';
    findings.push(...invalid(at, value, `should be ${than} ${maximum}`));
  }
  if (minimum !== undefined && (exclusiveMinimum ? value <= minimum : value < minimum)) {
    const than = exclusiveMinimum ? 'greater than' : 'greater than or equal to';
    findings.push(...invalid(at, value, `should be ${than} ${minimum}`));
  }
  return findings;
}

function checkEnum(value: Json, schema: Schema, at: At): readonly Finding[] {
  const values = schema.enum ?? [];
  if (values.length === 0 || values.some((one) => sameJson(one, value))) return [];
  const supported = values.map((one) => quote(typeof one === 'string' ? one : JSON.stringify(one)));
  return fail(
    at,
    'FieldValueNotSupported',
    `Unsupported value: ${valueText(value)}: supported values: ${supported.join(', ')}`,
  );
}

function checkList(
  value: readonly Json[],
  schema: Schema,
  at: At,
  old: Json | undefined,
): readonly Finding[] {
  const { items, minItems, maxItems, uniqueItems } = schema;
  const findings: Finding[] = [];
  if (items !== undefined) {
    for (const [index, item] of value.entries()) {
      const place = { path: [...at.path, index], text: `${at.text}[${index}]` };
      findings.push(...check(item, items, place, correlatedItem(schema, item, old)));
    }
  }
  if (minItems !== undefined && value.length < minItems) {
    findings.push(...invalid(at, value.length, `should have at least ${minItems} items`));
  }
  if (maxItems !== undefined && value.length > maxItems) {
    const message = `Too many: ${value.length}: must have at most ${maxItems} items`;
    findings.push(...fail(at, 'FieldValueTooMany', message));
  }
  if (uniqueItems === true && value.some((a, i) => value.slice(0, i).some((b) => sameJson(a, b)))) {
    findings.push(...invalid(at, '', "shouldn't contain duplicates"));
  }
  return findings;
}

function checkObject(
  value: JsonObject,
  schema: Schema,
  at: At,
  old: Json | undefined,
): readonly Finding[] {
  const { minProperties, maxProperties, properties = {}, required = [] } = schema;
  const count = Object.keys(value).length;
  if (minProperties !== undefined && count < minProperties) {
    return invalid(at, count, `should have at least ${minProperties} properties`);
  }
  if (maxProperties !== undefined && count > maxProperties) {
    const message = `Too many: ${count}: must have at most ${maxProperties} items`;
    return fail(at, 'FieldValueTooMany', message);
  }
  const findings: Finding[] = [];
  const values = schemaOfValues(schema);
  for (const [key, child] of Object.entries(value)) {
    const childSchema = Object.hasOwn(properties, key) ? properties[key] : values;
    if (childSchema === undefined) continue;
    findings.push(...check(child, childSchema, below(at, key), correlatedKey(old, key)));
  }
  for (const key of required) {
    if (Object.hasOwn(value, key)) continue;
    findings.push(...fail(below(at, key), 'FieldValueRequired', 'Required value'));
  }
  return findings;
}

function below(at: At, key: string): At {
  return { path: [...at.path, key], text: at.text === '' ? key : `${at.text}.${key}` };
}
