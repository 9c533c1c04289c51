// Fields as a person writes them in a case: dots, indexes, keys with dots, and list items by one of their fields.
import { isList, isObject, type Json, valueAt } from '../../core/json.ts';

/** A key, an index, or the list item whose field has a value. */
type Part = string | number | { readonly field: string; readonly value: string };

export interface FieldSelector {
  readonly text: string;
  readonly parts: readonly Part[];
}

const PART = /(?:^|\.)([^.[\]]+)|\[([^[\]]+)\]/gu;

/**
 * Reads `spec.rules[2].name`, `metadata.labels[app.kubernetes.io/name]` and
 * `status.conditions[type=Ready].message`. Gives undefined for what is none of them.
 */
export function parseFieldSelector(text: string): FieldSelector | undefined {
  const found = [...text.matchAll(PART)];
  if (text === '' || found.map(([whole]) => whole).join('') !== text) return undefined;
  return { text, parts: found.map(([, key, bracket]) => key ?? bracketPart(bracket ?? '')) };
}

function bracketPart(text: string): Part {
  if (/^\d+$/u.test(text)) return Number(text);
  const at = text.indexOf('=');
  return at < 1 ? text : { field: text.slice(0, at), value: text.slice(at + 1) };
}

/** The value a selector finds, or undefined. */
export function selectField(value: Json, { parts }: FieldSelector): Json | undefined {
  return parts.reduce<Json | undefined>((current, part) => {
    if (typeof part !== 'object') return valueAt(current, part);
    if (!isList(current)) return undefined;
    return current.find((item) => isObject(item) && String(item[part.field]) === part.value);
  }, value);
}
