// Paths to fields, written as the API server writes them.

/** Keys and list indexes from the root of a document. */
export type FieldPath = readonly (string | number)[];

/** `spec.rules[2].name`; a key that holds a dot or bracket is written `spec.labels[a.b/c]`. */
export function formatFieldPath(path: FieldPath): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    if (/[.[\]]/u.test(part)) return `${text}[${part}]`;
    return text === '' ? part : `${text}.${part}`;
  }, '');
}
