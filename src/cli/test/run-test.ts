// The test command behind its options: finds cases, runs them one after the other, reports.
import { writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { formatProblem, messageOf, ProblemError, refuse } from '../../core/problem.ts';
import type { TestCase } from '../../crossplane/test-case/test-case.ts';
import { loadManifests, type Manifest } from '../../manifests/load.ts';
import type { Arguments } from '../command.ts';
import { parseDuration } from '../duration.ts';
import { type OwnFunctions, ownComposition } from '../own-stack.ts';
import { projectFile } from '../project.ts';
import { onlyComposition, onlyXrd } from '../render/given.ts';
import { openStage, type Stage } from '../render/stage.ts';
import type { Terminal } from '../terminal.ts';
import { findCases } from './find-cases.ts';
import { caseLines, junitReport, summaryLine } from './report.ts';
import { type CaseResult, runCase } from './run-case.ts';

export interface TestEnvironment {
  /** The functions that run in this process. */
  readonly own: OwnFunctions;
  /** The variable CI: where it is set, nothing is updated. */
  readonly ci: string | undefined;
}

/** Runs the command; 1 when a case fails. */
export async function runTest(
  args: Arguments,
  terminal: Terminal,
  { own, ci }: TestEnvironment,
): Promise<number> {
  const update = args.flag('update');
  if (update && ci !== undefined && ci !== '' && ci !== 'false')
    refuse(
      'USAGE',
      '--update is refused where the variable CI is set: goldens are written by people',
      {
        hint: 'run it on your own machine and commit what it writes',
      },
    );
  const ours = relative('', projectFile('test', 'cases'));
  const folders = args.positionals.length === 0 ? [ours] : args.positionals;
  const cases = findCases(folders, args.options('filter'));
  const timeout = parseDuration('timeout', args.option('timeout') ?? '1m');
  const stages = stageKeeper(own, new Date(Date.now() + timeout));
  const results: CaseResult[] = [];
  try {
    for (const folder of cases) {
      const result = await resultOf(folder, { stageOf: stages.stageOf, update });
      terminal.out(caseLines(result));
      results.push(result);
    }
  } finally {
    stages.close();
  }
  terminal.out(summaryLine(results));
  writeJunit(args.option('junit'), results);
  return results.every(({ failures }) => failures.length === 0) ? 0 : 1;
}

/** A case that cannot be read fails like any other, so that the rest still runs. */
async function resultOf(
  folder: string,
  options: Parameters<typeof runCase>[1],
): Promise<CaseResult> {
  try {
    return await runCase(folder, options);
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    const failures = error.problems.map(formatProblem);
    return { folder, why: 'the case cannot be run', failures, updated: false };
  }
}

/** One stage for all cases that bring nothing of their own, one for each that does. */
function stageKeeper(
  own: OwnFunctions,
  deadline: Date,
): { stageOf: (folder: string, testCase: TestCase) => Stage; close: () => void } {
  const open = new Map<string, Stage>();
  const load = (folder: string, paths: readonly string[]): readonly Manifest[] =>
    loadManifests(paths.map((path) => join(folder, path)));
  return {
    stageOf: (folder, { files }) => {
      const { composition, functions, xrd } = files;
      const isOurs = composition === undefined && xrd === undefined && functions.length === 0;
      const key = isOurs ? '' : folder;
      const stage =
        open.get(key) ??
        openStage({
          composition:
            composition === undefined
              ? ownComposition()
              : onlyComposition(load(folder, [composition])),
          functions: load(folder, functions),
          xrd: xrd === undefined ? undefined : onlyXrd(join(folder, xrd)),
          own,
          annotations: {},
          deadline,
        });
      open.set(key, stage);
      return stage;
    },
    close: () => {
      for (const stage of open.values()) stage.close();
    },
  };
}

function writeJunit(file: string | undefined, results: readonly CaseResult[]): void {
  if (file === undefined) return;
  try {
    writeFileSync(file, junitReport(results));
  } catch (error) {
    refuse('FILE_UNWRITABLE', `cannot write ${file}: ${messageOf(error)}`);
  }
}
