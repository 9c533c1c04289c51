// The names under `resources`: Kubernetes takes its own and qualified ones, and no schema lists them.
import type { FieldPath } from '../../core/field-path.ts';
import { isList, isObject, type Json } from '../../core/json.ts';
import { beyond, type Fault, type Subject } from './subject.ts';

const STANDARD = /^(?:cpu|memory|ephemeral-storage|storage|hugepages-.+|.+\/.+)$/u;

/** The misspelled names of resources anywhere below a path. */
export function checkResourceNames(
  subject: Subject,
  value: Json | undefined,
  path: FieldPath,
): readonly Fault[] {
  if (isList(value)) {
    return value.flatMap((item, index) => checkResourceNames(subject, item, [...path, index]));
  }
  if (!isObject(value)) return [];
  const isAmounts = path.at(-2) === 'resources' && /^(?:limits|requests)$/u.test(`${path.at(-1)}`);
  if (!isAmounts) {
    return Object.entries(value).flatMap(([key, child]) =>
      checkResourceNames(subject, child, [...path, key]),
    );
  }
  return Object.keys(value)
    .filter((name) => !STANDARD.test(name))
    .map((name) => {
      const message = `Invalid value: ${JSON.stringify(name)}: must be a standard resource type or fully qualified`;
      return beyond(subject, 'FIELD_INVALID', [...path, name], message);
    });
}
