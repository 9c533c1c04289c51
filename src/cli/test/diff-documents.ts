// What differs between two lists of documents, as unified diffs a person can read.
import { structuredPatch } from 'diff';
import { isObject, type Json, sameJson } from '../../core/json.ts';
import { describeDocument } from '../../crossplane/test-case/check-documents.ts';
import { printYaml } from '../../manifests/yaml.ts';

/** One text for each document that is missing, too much or different; the documents are paired by name. */
export function diffDocuments(
  expected: readonly Json[],
  found: readonly Json[],
): readonly string[] {
  const wanted = named(expected);
  const got = named(found);
  const names = [...new Set([...wanted.keys(), ...got.keys()])];
  const differences = names.flatMap((name) => {
    const before = wanted.get(name);
    const after = got.get(name);
    if (before !== undefined && after !== undefined && sameJson(before, after)) return [];
    return [`${name}: ${verdict(before, after)}\n${diffText(textOf(before), textOf(after))}`];
  });
  if (differences.length > 0) return differences;
  return [`the documents come in another order: expected ${names.join(', ')}`];
}

/** Documents by what they are; of several that look alike, such as Results, the second has a number. */
function named(documents: readonly Json[]): Map<string, Json> {
  const byName = new Map<string, Json>();
  for (const document of documents) {
    const name = isObject(document) ? describeDocument(document) : 'document';
    let unique = name;
    for (let number = 2; byName.has(unique); number++) unique = `${name} #${number}`;
    byName.set(unique, document);
  }
  return byName;
}

function verdict(before: Json | undefined, after: Json | undefined): string {
  if (before === undefined) return 'is rendered, but not in expected.yaml';
  return after === undefined
    ? 'is in expected.yaml, but not rendered'
    : 'differs from expected.yaml';
}

function textOf(document: Json | undefined): string {
  return document === undefined ? '' : printYaml(document);
}

function diffText(before: string, after: string): string {
  const { hunks } = structuredPatch('', '', before, after, '', '', { context: 3 });
  return hunks
    .map(({ oldStart, oldLines, newStart, newLines, lines }) =>
      [`@@ -${range(oldStart, oldLines)} +${range(newStart, newLines)} @@`, ...lines].join('\n'),
    )
    .join('\n');
}

/** The unified format counts an empty range from the line before it. */
function range(start: number, lines: number): string {
  return `${lines === 0 ? start - 1 : start},${lines}`;
}
