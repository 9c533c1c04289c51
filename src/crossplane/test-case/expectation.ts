// One entry of `expect` or `refused` in a case.yaml.
import type { Json } from '../../core/json.ts';
import { type FieldSelector, parseFieldSelector } from './field-selector.ts';
import type { Reader } from './reader.ts';

/** What is expected of the documents it selects. */
export interface Expectation {
  /** All that are given have to match. */
  readonly select: {
    /** The composition-resource-name. */
    readonly resource: string | undefined;
    readonly kind: string | undefined;
    readonly name: string | undefined;
  };
  /** That there is no such document. */
  readonly none: boolean;
  readonly present: readonly FieldSelector[];
  readonly absent: readonly FieldSelector[];
  readonly equal: readonly (readonly [FieldSelector, Json])[];
  readonly matching: readonly (readonly [FieldSelector, RegExp])[];
}

/** One problem an XR is refused with. */
export interface Refusal {
  readonly code: string;
  /** Absent when any path will do. */
  readonly path: string | undefined;
  readonly message: RegExp | undefined;
}

/** Reads an entry of `expect`. */
export function readExpectation(entry: Reader): Expectation {
  entry.only(['resource', 'kind', 'name', 'present', 'absent', 'equal', 'matching']);
  const select = {
    resource: entry.string('resource'),
    kind: entry.string('kind'),
    name: entry.string('name'),
  };
  if (Object.values(select).every((one) => one === undefined))
    entry.wrong([], 'Required value: one of "resource", "kind", "name" that selects documents');
  const none = entry.value('absent') === true;
  const expectation: Expectation = {
    select,
    none,
    present: entry.value('present') === true ? [] : selectors(entry, 'present'),
    absent: none ? [] : selectors(entry, 'absent'),
    equal: pairs(entry, 'equal'),
    matching: pairs(entry, 'matching').map(([selector, pattern]) => [
      selector,
      readPattern(entry, ['matching', selector.text], pattern),
    ]),
  };
  const { present, absent, equal, matching } = expectation;
  if (none && present.length + absent.length + equal.length + matching.length > 0)
    entry.wrong(['absent'], 'Forbidden: a document that is absent has no fields');
  return expectation;
}

/** Reads an entry of `refused`. */
export function readRefusal(entry: Reader): Refusal {
  entry.only(['code', 'path', 'message']);
  const message = entry.string('message');
  return {
    code: entry.string('code') ?? entry.missing('code', 'the code of the problem'),
    path: entry.string('path'),
    message: message === undefined ? undefined : readPattern(entry, ['message'], message),
  };
}

function selectors(entry: Reader, field: string): readonly FieldSelector[] {
  return (entry.strings(field) ?? []).flatMap((text, index) =>
    selector(entry, [field, index], text),
  );
}

function pairs(entry: Reader, field: string): readonly (readonly [FieldSelector, Json])[] {
  return Object.entries(entry.object(field) ?? {}).flatMap(([text, value]) =>
    selector(entry, [field, text], text).map((found) => [found, value] as const),
  );
}

function selector(entry: Reader, path: (string | number)[], text: string): FieldSelector[] {
  const found = parseFieldSelector(text);
  if (found !== undefined) return [found];
  entry.wrong(
    path,
    `Invalid value: ${JSON.stringify(text)}: must be a field such as spec.a, list[0], labels[a.b/c] or conditions[type=Ready].status`,
  );
  return [];
}

function readPattern(entry: Reader, path: string[], pattern: Json): RegExp {
  try {
    return new RegExp(String(pattern), 'u');
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    entry.wrong(path, `Invalid value: ${JSON.stringify(pattern)}: must be a regular expression`);
    return /^/u;
  }
}
