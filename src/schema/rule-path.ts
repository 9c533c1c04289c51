// The fieldPath of a rule: `.a.b` or `.a['b-c']`, relative to the part the rule is about.
import type { FieldPath } from '../core/field-path.ts';
import { type Schema, schemaOfKey } from './open-api-schema.ts';

/** A fieldPath as keys, and as the API server writes it behind the path of the part. */
export interface RulePath {
  readonly path: FieldPath;
  readonly field: string;
}

/** Reads a fieldPath; what is no path gives none, the check of the definition refuses it. */
export function readRulePath(text: string): RulePath {
  const path = [...text.matchAll(/\.(?<name>[^.[\]]+)|\['(?<quoted>(?:[^'\\]|\\.)*)'\]/gu)].map(
    ({ groups }) => groups?.['name'] ?? (groups?.['quoted'] ?? '').replaceAll(/\\(.)/gu, '$1'),
  );
  return { path, field: path.map((name) => `.${name}`).join('') };
}

/** Whether a fieldPath leads to a field the schema has. */
export function isRulePath(text: string, schema: Schema): boolean {
  if (!/^(?:\.[^.[\]]+|\['(?:[^'\\]|\\.)*'\])+$/u.test(text)) return false;
  let current: Schema | undefined = schema;
  for (const key of readRulePath(text).path) {
    current = current === undefined ? undefined : schemaOfKey(current, String(key));
  }
  return current !== undefined;
}
