// An object to be judged, and what is found against it.
import { type FieldPath, formatFieldPath } from '../../core/field-path.ts';
import type { Json } from '../../core/json.ts';
import type { KubeObject } from '../../core/kube-object.ts';
import { oneLine, type Place } from '../../core/problem.ts';
import type { ProblemCode } from '../../core/problem-codes.ts';
import type { Finding } from '../../schema/finding.ts';

export interface Subject {
  readonly object: KubeObject;
  /** Where it comes from, for people: a file, or what it was rendered from. */
  readonly source: string;
  /** The place of a field; only the file where the object was made and not read. */
  readonly placeOf: (path: FieldPath) => Place;
}

/** Objects that would stand in one cluster together. */
export interface SubjectSet {
  readonly subjects: readonly Subject[];
}

/** Something wrong with a subject, or worth saying about it. */
export interface Fault {
  readonly type: Finding['type'] | 'beyond';
  /** A note does not make a subject invalid. */
  readonly isNote: boolean;
  readonly code: ProblemCode;
  readonly field: string;
  /** With the field before it, as the API server writes it. */
  readonly message: string;
  readonly place: Place;
  /** What to do, where more is known than the code alone says. */
  readonly hint?: string;
  /** The value that is complained of. */
  readonly value?: Json;
}

/** A finding of the schema check as a fault of a subject. */
export function faultOf(subject: Subject, finding: Finding, prefix: FieldPath = []): Fault {
  const { type, code, path, field, message } = finding;
  const at = [...prefix, ...path];
  const shown = prefix.length === 0 ? field : formatFieldPath(at);
  const key = path.at(-1) ?? '';
  return {
    type,
    code,
    isNote: code === 'RULES_NOT_CHECKED',
    field: shown,
    message:
      type === 'unknownField'
        ? `${shown}: Invalid value: ${JSON.stringify(key)}: unknown field: ${JSON.stringify(key)}`
        : oneLine(`${shown}: ${message}`),
    place: subject.placeOf(at),
    ...(type === 'unknownField' ? { value: key } : badValue(message)),
  };
}

/** The value in a message of the API server, as the official report has it beside the message. */
function badValue(message: string): { readonly value?: Json } {
  const shown =
    /^(?:Invalid|Unsupported|Duplicate) value: (?<value>"(?:[^"\\]|\\.)*"|[\d.-]+|true|false|null|[[{].*[\]}])(?::|$)/u.exec(
      message,
    )?.groups?.['value'];
  if (shown === undefined) return {};
  try {
    return { value: JSON.parse(shown) as Json };
  } catch (error) {
    // Go escapes a few characters in ways that JSON does not know: then the text itself is shown.
    if (error instanceof SyntaxError) return { value: shown };
    throw error;
  }
}

/** A fault that no API server finds by the schema alone. */
export function beyond(
  subject: Subject,
  code: ProblemCode,
  path: FieldPath,
  message: string,
  isNote = false,
): Fault {
  const field = formatFieldPath(path);
  return {
    type: 'beyond',
    code,
    isNote,
    field,
    message: field === '' ? message : `${field}: ${message}`,
    place: subject.placeOf(path),
  };
}
