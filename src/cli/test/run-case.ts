// Reads a case, renders it, and holds the outcome against what it expects.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { formatFieldPath } from '../../core/field-path.ts';
import type { JsonObject } from '../../core/json.ts';
import { type Problem, ProblemError, refuse } from '../../core/problem.ts';
import { checkDocuments, checkRefusal } from '../../crossplane/test-case/check-documents.ts';
import { readTestCase, type TestCase } from '../../crossplane/test-case/test-case.ts';
import { loadManifests, type Manifest, readText } from '../../manifests/load.ts';
import { parseYaml } from '../../manifests/yaml.ts';
import { findXrs } from '../render/find-xrs.ts';
import { checkXr, renderXr } from '../render/render-xr.ts';
import type { Stage } from '../render/stage.ts';
import { loadSurroundings, type Surroundings } from '../render/surroundings.ts';
import { CASE_FILE } from './find-cases.ts';
import { compareGolden } from './golden.ts';

/** What rendering an XR gives: documents, or the problems it is refused with. */
export type Outcome =
  | { readonly documents: readonly JsonObject[] }
  | { readonly problems: readonly Problem[] };

export interface CaseResult {
  readonly folder: string;
  readonly why: string;
  /** What is not as expected; none for a case that holds. */
  readonly failures: readonly string[];
  /** That `expected.yaml` was written. */
  readonly updated: boolean;
}

export interface RunCaseOptions {
  /** Opens what a case is rendered with. */
  readonly stageOf: (folder: string, testCase: TestCase) => Stage;
  /** Writes `expected.yaml` instead of comparing with it. */
  readonly update: boolean;
}

/** Runs one case. Throws a ProblemError when the case itself cannot be read. */
export async function runCase(folder: string, options: RunCaseOptions): Promise<CaseResult> {
  const testCase = loadCase(folder);
  const { why, expect, refused } = testCase;
  const outcome = await outcomeOf(folder, testCase, options.stageOf(folder, testCase));
  const isAsserted = expect.length > 0 || refused !== undefined;
  const golden = compareGolden(join(folder, 'expected.yaml'), outcome, {
    update: options.update,
    required: !isAsserted,
  });
  return {
    folder,
    why,
    failures: [...(isAsserted ? assertionFailures(outcome, testCase) : []), ...golden.failures],
    updated: golden.updated,
  };
}

function loadCase(folder: string): TestCase {
  const file = join(folder, CASE_FILE);
  const { documents, problems } = parseYaml(readText(file), file);
  if (problems.length > 0) throw new ProblemError(problems);
  const [document, ...more] = documents;
  if (document === undefined || more.length > 0)
    return refuse('CASE_INVALID', `found ${documents.length} documents: expected one`, {
      place: { file },
    });
  const read = readTestCase(document.value);
  if ('why' in read) return read;
  throw new ProblemError(
    read.map(({ path, message }) => ({
      code: 'CASE_INVALID',
      path: formatFieldPath(path),
      message,
      place: document.placeOf(path),
    })),
  );
}

async function outcomeOf(folder: string, testCase: TestCase, stage: Stage): Promise<Outcome> {
  const xr = xrOf(folder, testCase, stage);
  const around = surroundingsOf(folder, testCase);
  const { include } = testCase;
  try {
    const problems = checkXr(stage, xr);
    if (problems.length > 0) return { problems };
    return await renderXr(stage, xr, around, {
      results: include.includes('results'),
      fullXr: include.includes('full-xr'),
      context: include.includes('context'),
    });
  } catch (error) {
    if (error instanceof ProblemError) return { problems: error.problems };
    throw error;
  }
}

function xrOf(folder: string, { files }: TestCase, { composition }: Stage): Manifest {
  const path = join(folder, files.xr ?? 'xr.yaml');
  const { xrs } = findXrs([{ path, manifests: loadManifests([path]) }], composition.composite);
  const [xr, second] = xrs;
  if (xr !== undefined && second === undefined) return xr;
  return refuse('CASE_INVALID', `found ${xrs.length} XRs in ${path}: expected one`);
}

function surroundingsOf(folder: string, { files, context }: TestCase): Surroundings {
  const none = { schemas: undefined, credentials: undefined, contextFiles: [], contextValues: [] };
  return {
    ...loadSurroundings({
      ...none,
      observed: pathsOf(folder, files.observed, 'observed'),
      required: pathsOf(folder, files.required, 'required'),
    }),
    context,
  };
}

/** What the case names, or the file or folder of that name where it is there. */
function pathsOf(
  folder: string,
  named: readonly string[] | undefined,
  name: string,
): readonly string[] {
  if (named !== undefined) return named.map((path) => join(folder, path));
  return [`${name}.yaml`, name]
    .map((path) => join(folder, path))
    .filter((path) => existsSync(path));
}

function assertionFailures(outcome: Outcome, { expect, refused }: TestCase): readonly string[] {
  if ('problems' in outcome) return checkRefusal(outcome.problems, refused ?? []);
  if (refused === undefined) return checkDocuments(outcome.documents, expect);
  const codes = refused.map(({ code }) => code).join(', ');
  return [`refused: the XR was rendered: expected it to be refused with ${codes}`];
}
