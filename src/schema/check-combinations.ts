// Alternatives of a schema. The one that comes nearest lends its findings, since the combination alone says little.
import { isList, isObject, type Json } from '../core/json.ts';
import type { At } from './check-place.ts';
import { type Finding, quote, schemaFinding } from './finding.ts';
import { type Schema, schemaOfKey } from './open-api-schema.ts';

/** A finding about a combination names no field; the findings of the nearest alternative say more. */
function combination(at: At, complaint: string): Finding {
  return schemaFinding(
    [],
    'FieldValueInvalid',
    `Invalid value: "": ${quote(at.text)} ${complaint}`,
  );
}

/** Tries a value against an alternative. */
type Attempt = (alternative: Schema) => readonly Finding[];

/** What anyOf, oneOf, allOf and not have against a value. */
export function checkCombinations(
  value: Json,
  schema: Schema,
  at: At,
  attempt: Attempt,
): readonly Finding[] {
  const { anyOf, oneOf, allOf, not } = schema;
  return [
    ...(anyOf === undefined ? [] : checkAnyOf(anyOf.map(attempt), nearestOf(anyOf, value), at)),
    ...(oneOf === undefined ? [] : checkOneOf(oneOf.map(attempt), nearestOf(oneOf, value), at)),
    ...(allOf === undefined ? [] : checkAllOf(allOf.map(attempt), at)),
    ...(not === undefined || attempt(not).length > 0
      ? []
      : [combination(at, 'must not validate the schema (not)')]),
  ];
}

type Tried = readonly (readonly Finding[])[];

/** The alternative that looks at most of a value, the first of equals: its findings say most. */
function nearestOf(alternatives: readonly Schema[], value: Json): number {
  const looks = alternatives.map((one) => looksAt(value, one));
  return looks.indexOf(Math.max(...looks));
}

function looksAt(value: Json, schema: Schema): number {
  if (isList(value)) {
    const { items } = schema;
    return items === undefined
      ? 1
      : value.reduce<number>((sum, item) => sum + looksAt(item, items), 1);
  }
  if (!isObject(value)) return 1;
  return Object.entries(value).reduce((sum, [key, child]) => {
    const childSchema = schemaOfKey(schema, key);
    return childSchema === undefined ? sum : sum + looksAt(child, childSchema);
  }, 1);
}

function checkAnyOf(tried: Tried, nearest: number, at: At): readonly Finding[] {
  if (tried.length === 0 || tried.some((found) => found.length === 0)) return [];
  return [combination(at, 'must validate at least one schema (anyOf)'), ...(tried[nearest] ?? [])];
}

function checkOneOf(tried: Tried, nearest: number, at: At): readonly Finding[] {
  const valid = tried.filter((found) => found.length === 0).length;
  if (tried.length === 0 || valid === 1) return [];
  const count = valid === 0 ? 'Found none valid' : `Found ${valid} valid alternatives`;
  return [
    combination(at, `must validate one and only one schema (oneOf). ${count}`),
    ...(valid === 0 ? (tried[nearest] ?? []) : []),
  ];
}

function checkAllOf(tried: Tried, at: At): readonly Finding[] {
  const failed = tried.filter((found) => found.length > 0);
  if (failed.length === 0) return [];
  const none = failed.length === tried.length ? '. None validated' : '';
  return [...failed.flat(), combination(at, `must validate all the schemas (allOf)${none}`)];
}
