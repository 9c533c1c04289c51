// The whole outcome of a case in expected.yaml: compared document by document, or written.
import { existsSync, writeFileSync } from 'node:fs';
import { isObject, type Json, sameJson } from '../../core/json.ts';
import { ProblemError } from '../../core/problem.ts';
import { readText } from '../../manifests/load.ts';
import { parseYaml, printYamlStream } from '../../manifests/yaml.ts';
import { diffDocuments } from './diff-documents.ts';
import type { Outcome } from './run-case.ts';

export interface Golden {
  readonly failures: readonly string[];
  readonly updated: boolean;
}

/**
 * Compares an outcome with a file. Without the file nothing is compared, unless the case expects
 * nothing else. With `update` a file that differs is written, its first comment lines kept.
 */
export function compareGolden(
  file: string,
  outcome: Outcome,
  options: { readonly update: boolean; readonly required: boolean },
): Golden {
  const found = goldenOf(outcome);
  const there = existsSync(file);
  if (!there && !options.required) return { failures: [], updated: false };
  if (!there && !options.update) {
    const hint =
      'the case has neither expect nor refused nor an expected.yaml: write it with --update';
    return { failures: [hint], updated: false };
  }
  const text = there ? readText(file) : '';
  const expected = documentsOf(text, file, options.update);
  const same = there && sameJson(expected, found);
  if (same) return { failures: [], updated: false };
  if (options.update) {
    writeFileSync(file, `${leadingComments(text)}${printYamlStream(found)}`);
    return { failures: [], updated: true };
  }
  return { failures: diffDocuments(expected, found), updated: false };
}

/** The documents, or one document of what the XR is refused with; places would name files of one machine. */
function goldenOf(outcome: Outcome): readonly Json[] {
  if ('documents' in outcome) return outcome.documents;
  const refused = outcome.problems.map(({ code, path, message, hint }) => ({
    code,
    ...(path === '' ? {} : { path }),
    message,
    ...(hint === undefined ? {} : { hint }),
  }));
  return [{ refused }];
}

/** A file that is to be written anew need not be readable. */
function documentsOf(text: string, file: string, update: boolean): readonly Json[] {
  const { documents, problems } = parseYaml(text, file);
  if (problems.length > 0 && !update) throw new ProblemError(problems);
  return documents.map(({ value }) => value).filter(isObject);
}

function leadingComments(text: string): string {
  return /^(?:#[^\n]*\n|[ \t]*\n)*/u.exec(text)?.[0] ?? '';
}
