// Reads a case.yaml field by field and keeps every problem with its path.
import type { FieldPath } from '../../core/field-path.ts';
import { isList, isObject, type Json, type JsonObject } from '../../core/json.ts';

export interface CaseProblem {
  readonly path: FieldPath;
  readonly message: string;
}

export interface Reader {
  readonly has: (field: string) => boolean;
  /** Reports fields that are none of these. */
  readonly only: (fields: readonly string[]) => void;
  readonly string: (field: string) => string | undefined;
  /** A list of strings, or one string alone. */
  readonly strings: (field: string) => readonly string[] | undefined;
  readonly object: (field: string) => JsonObject | undefined;
  /** A reader for each item of a list of objects. */
  readonly items: (field: string) => readonly Reader[];
  readonly value: (field: string) => Json | undefined;
  /** Reports a field that has to be there, and gives an empty string to go on with. */
  readonly missing: (field: string, wanted: string) => string;
  readonly wrong: (path: FieldPath, message: string) => void;
  readonly unsupported: (path: FieldPath, found: Json, wanted: readonly string[]) => void;
}

/** A reader of one object. */
export function reader(value: unknown, at: FieldPath, problems: CaseProblem[]): Reader {
  const fields: JsonObject = isObject(value) ? value : {};
  const wrong = (path: FieldPath, message: string) => {
    problems.push({ path: [...at, ...path], message });
  };
  const unsupported: Reader['unsupported'] = (path, found, wanted) => {
    const list = wanted.map((one) => JSON.stringify(one)).join(', ');
    wrong(path, `Unsupported value: ${JSON.stringify(found)}: supported values: ${list}`);
  };
  const expected = (field: string, what: string): undefined =>
    void wrong([field], `Invalid value: ${JSON.stringify(fields[field])}: must be ${what}`);
  if (!isObject(value)) wrong([], `Invalid value: ${JSON.stringify(value)}: must be an object`);
  const own = (field: string) => (Object.hasOwn(fields, field) ? fields[field] : undefined);
  return {
    has: (field) => own(field) !== undefined,
    only: (wanted) => {
      for (const field of Object.keys(fields))
        if (!wanted.includes(field)) unsupported([field], field, wanted);
    },
    string: (field) => {
      const found = own(field);
      if (found === undefined || typeof found === 'string') return found;
      return expected(field, 'a string');
    },
    strings: (field) => {
      const found = own(field);
      if (found === undefined) return undefined;
      const list = isList(found) ? found : [found];
      if (list.every((one) => typeof one === 'string')) return list;
      return expected(field, 'a string or a list of strings');
    },
    object: (field) => {
      const found = own(field);
      if (found === undefined || isObject(found)) return found;
      return expected(field, 'an object');
    },
    items: (field) => {
      const found = own(field);
      if (isList(found))
        return found.map((item, index) => reader(item, [...at, field, index], problems));
      if (found !== undefined) expected(field, 'a list');
      return [];
    },
    value: own,
    missing: (field, wanted) => {
      wrong([field], `Required value: ${wanted}`);
      return '';
    },
    wrong,
    unsupported,
  };
}
