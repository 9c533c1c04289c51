// What a check found, in the words of the API server, and how the API server writes values and paths.
import type { FieldPath } from '../core/field-path.ts';
import type { Json } from '../core/json.ts';
import type { ProblemCode } from '../core/problem-codes.ts';

/** One thing an API server would refuse. */
export interface Finding {
  readonly type: 'schema' | 'unknownField' | 'cel';
  /** Keys and indexes from the root of the object; empty for the object itself. */
  readonly path: FieldPath;
  /** The field as the API server writes it in its answer; `<nil>` for the object itself. */
  readonly field: string;
  /** The API server's reason: FieldValueRequired, FieldValueInvalid, …. */
  readonly reason: Reason;
  /** The API server's message, without the path: `Invalid value: "a": must be …`. */
  readonly message: string;
  readonly code: ProblemCode;
}

export type Reason =
  | 'FieldValueRequired'
  | 'FieldValueTypeInvalid'
  | 'FieldValueNotSupported'
  | 'FieldValueTooLong'
  | 'FieldValueTooMany'
  | 'FieldValueDuplicate'
  | 'FieldValueForbidden'
  | 'FieldValueInvalid';

const CODES: { readonly [reason in Reason]: ProblemCode } = {
  FieldValueRequired: 'FIELD_REQUIRED',
  FieldValueTypeInvalid: 'FIELD_TYPE',
  FieldValueNotSupported: 'FIELD_NOT_SUPPORTED',
  FieldValueTooLong: 'FIELD_TOO_LONG',
  FieldValueTooMany: 'FIELD_TOO_MANY',
  FieldValueDuplicate: 'FIELD_DUPLICATE',
  FieldValueForbidden: 'FIELD_FORBIDDEN',
  FieldValueInvalid: 'FIELD_INVALID',
};

/** The reasons after which the API server does not run any rule of the object. */
const BLOCKING: readonly Reason[] = [
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
  'FieldValueNotSupported',
];

/** A finding of the schema check; the code follows from the reason. */
export function schemaFinding(path: FieldPath, reason: Reason, message: string): Finding {
  return {
    type: 'schema',
    path,
    field: path.length === 0 ? '<nil>' : fieldOf(path),
    reason,
    message,
    code: CODES[reason],
  };
}

/** The schema check joins every key with a dot, whatever is in it; only rules put such a key in brackets. */
function fieldOf(path: FieldPath): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    return text === '' ? part : `${text}.${part}`;
  }, '');
}

/** True for a finding after which the API server checks no rules. */
export function blocksRules(finding: Finding): boolean {
  return BLOCKING.includes(finding.reason);
}

/** What the API server adds when it did not get to the rules. */
export const RULES_NOT_CHECKED: Finding = {
  type: 'cel',
  path: [],
  field: '<nil>',
  reason: 'FieldValueInvalid',
  message:
    'Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
  code: 'RULES_NOT_CHECKED',
};

/**
 * The findings one answer of the API server holds: it refuses unknown fields while it decodes, before
 * it looks at anything else. We report everything at once, so that one run shows all there is to mend.
 */
export function firstAnswer(findings: readonly Finding[]): readonly Finding[] {
  const unknown = findings.filter(({ type }) => type === 'unknownField');
  return unknown.length > 0 ? unknown : findings;
}

/** A value in a message: strings quoted as Go quotes them, everything else as JSON. */
export function valueText(value: Json): string {
  return typeof value === 'string' ? quote(value) : JSON.stringify(value);
}

/** A string as Go's %q writes it: printable characters as they are, the others escaped. */
export function quote(text: string): string {
  const escaped = Array.from(text, (char) => ESCAPES[char] ?? escapeUnprintable(char));
  return `"${escaped.join('')}"`;
}

const ESCAPES: { readonly [char: string]: string } = {
  '"': '\\"',
  '\\': '\\\\',
  '\u0007': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
};

function escapeUnprintable(char: string): string {
  if (/[\p{L}\p{M}\p{N}\p{P}\p{S} ]/u.test(char)) return char;
  const code = char.codePointAt(0) ?? 0;
  if (code < 0x80) return `\\x${code.toString(16).padStart(2, '0')}`;
  if (code < 0x10000) return `\\u${code.toString(16).padStart(4, '0')}`;
  return `\\U${code.toString(16).padStart(8, '0')}`;
}
