// Where a check stands in an object, and the findings it makes there.
import type { FieldPath } from '../core/field-path.ts';
import type { Json } from '../core/json.ts';
import { type Finding, schemaFinding, valueText } from './finding.ts';

/** The path as a list, and as the validator writes it into its sentences. */
export interface At {
  readonly path: FieldPath;
  readonly text: string;
}

/** One finding at a place. */
export function fail(at: At, reason: Finding['reason'], message: string): readonly Finding[] {
  return [schemaFinding(at.path, reason, message)];
}

/** One finding about a value: `Invalid value: 3: spec.x in body should be …`. */
export function invalid(at: At, value: Json, complaint: string): readonly Finding[] {
  return fail(
    at,
    'FieldValueInvalid',
    `Invalid value: ${valueText(value)}: ${at.text} in body ${complaint}`,
  );
}
