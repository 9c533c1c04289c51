// Alternatives of a schema. The first that comes nearest lends its findings, since the combination alone says little.
import type { At } from './check-place.ts';
import { type Finding, quote, schemaFinding } from './finding.ts';
import type { Schema } from './open-api-schema.ts';

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
export function checkCombinations(schema: Schema, at: At, attempt: Attempt): readonly Finding[] {
  const { anyOf, oneOf, allOf, not } = schema;
  return [
    ...(anyOf === undefined ? [] : checkAnyOf(anyOf.map(attempt), at)),
    ...(oneOf === undefined ? [] : checkOneOf(oneOf.map(attempt), at)),
    ...(allOf === undefined ? [] : checkAllOf(allOf.map(attempt), at)),
    ...(not === undefined || attempt(not).length > 0
      ? []
      : [combination(at, 'must not validate the schema (not)')]),
  ];
}

type Tried = readonly (readonly Finding[])[];

function checkAnyOf(tried: Tried, at: At): readonly Finding[] {
  if (tried.length === 0 || tried.some((found) => found.length === 0)) return [];
  return [combination(at, 'must validate at least one schema (anyOf)'), ...(tried[0] ?? [])];
}

function checkOneOf(tried: Tried, at: At): readonly Finding[] {
  const valid = tried.filter((found) => found.length === 0).length;
  if (tried.length === 0 || valid === 1) return [];
  const count = valid === 0 ? 'Found none valid' : `Found ${valid} valid alternatives`;
  return [
    combination(at, `must validate one and only one schema (oneOf). ${count}`),
    ...(valid === 0 ? (tried[0] ?? []) : []),
  ];
}

function checkAllOf(tried: Tried, at: At): readonly Finding[] {
  const failed = tried.filter((found) => found.length > 0);
  if (failed.length === 0) return [];
  const none = failed.length === tried.length ? '. None validated' : '';
  return [...failed.flat(), combination(at, `must validate all the schemas (allOf)${none}`)];
}
