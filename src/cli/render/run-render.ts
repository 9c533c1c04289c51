// The render command behind its options: what was given, what it is rendered with, what is printed.
import { relative } from 'node:path';
import { sortKeys } from '../../core/json.ts';
import { type Problem, ProblemError, refuse } from '../../core/problem.ts';
import { describeObject } from '../../crossplane/names.ts';
import type { Rendered } from '../../crossplane/render.ts';
import { loadManifests } from '../../manifests/load.ts';
import { printYamlStream } from '../../manifests/yaml.ts';
import type { Arguments } from '../command.ts';
import { parseDuration } from '../duration.ts';
import { type OwnFunctions, ownComposition } from '../own-stack.ts';
import { projectFile } from '../project.ts';
import type { Terminal } from '../terminal.ts';
import { type FoundXrs, findXrs, type Source } from './find-xrs.ts';
import { onlyComposition, onlyXrd } from './given.ts';
import { checkXr, renderXr } from './render-xr.ts';
import { openStage, type Stage, sortOut } from './stage.ts';
import { loadSurroundings, type Surroundings, splitPair } from './surroundings.ts';

/** Runs the command. Prints nothing to standard output unless everything was rendered. */
export async function runRender(
  args: Arguments,
  terminal: Terminal,
  own: OwnFunctions,
): Promise<number> {
  const around = surroundingsOf(args);
  const { stage, found } = open(args, own);
  try {
    const rendered = await renderAll(args, stage, found, around);
    print(args, terminal, found, rendered);
    return 0;
  } finally {
    stage.close();
  }
}

function surroundingsOf(args: Arguments): Surroundings {
  return loadSurroundings({
    observed: [args.option('observed-resources') ?? []].flat(),
    required: [...args.options('required-resources'), ...args.options('extra-resources')],
    schemas: args.option('required-schemas'),
    credentials: args.option('function-credentials'),
    contextFiles: args.options('context-files'),
    contextValues: args.options('context-values'),
  });
}

function open(args: Arguments, own: OwnFunctions): { stage: Stage; found: FoundXrs } {
  const sources = sourcesOf(args.positionals);
  const xrdPath = args.option('xrd');
  const given = sortOut(sources.flatMap(({ manifests }) => manifests));
  const stage = openStage({
    composition:
      given.compositions.length === 0 ? ownComposition() : onlyComposition(given.compositions),
    functions: given.functions,
    xrd: xrdPath === undefined ? undefined : onlyXrd(xrdPath),
    own,
    annotations: Object.fromEntries(
      args.options('function-annotations').map((pair) => splitPair('function-annotations', pair)),
    ),
    deadline: new Date(Date.now() + parseDuration('timeout', args.option('timeout') ?? '1m')),
  });
  try {
    const found = findXrs(withXrs(sources), stage.composition.composite);
    if (found.xrs.length > 1 && args.option('observed-resources') !== undefined)
      refuse('USAGE', `--observed-resources belongs to one XR: found ${found.xrs.length}`, {
        hint: 'render one XR at a time',
      });
    return { stage, found };
  } catch (error) {
    stage.close();
    throw error;
  }
}

function sourcesOf(paths: readonly string[]): readonly Source[] {
  const examples = relative('', projectFile('examples', 'celldstacks'));
  return (paths.length === 0 ? [examples] : paths).map((path) => ({
    path,
    manifests: loadManifests([path]),
  }));
}

/** The paths that hold XRs: all but those that hold nothing else than Compositions and Functions. */
function withXrs(sources: readonly Source[]): readonly Source[] {
  const left = sources
    .map(({ path, manifests }) => ({ path, all: manifests, manifests: sortOut(manifests).others }))
    .filter(({ all, manifests }) => all.length === 0 || manifests.length > 0);
  const all = { path: sources.map(({ path }) => path).join(', '), manifests: [] };
  return left.length > 0 ? left : [all];
}

/** Checks all XRs before the first is rendered, so that one run shows all there is to mend. */
async function renderAll(
  args: Arguments,
  stage: Stage,
  { xrs }: FoundXrs,
  around: Surroundings,
): Promise<readonly Rendered[]> {
  const options = {
    fullXr: args.flag('include-full-xr'),
    results: args.flag('include-function-results'),
    context: args.flag('include-context'),
  };
  const problems: Problem[] = xrs.flatMap((xr) => checkXr(stage, xr));
  if (problems.length > 0) throw new ProblemError(problems);
  const all: Rendered[] = [];
  for (const xr of xrs) all.push(await renderXr(stage, xr, around, options));
  return all;
}

/** With several XRs, standard error says whose documents follow. */
function print(
  args: Arguments,
  terminal: Terminal,
  { xrs, others }: FoundXrs,
  rendered: readonly Rendered[],
): void {
  for (const { object, file } of others)
    terminal.err(`note: ${file}: passes over ${describeObject(object)}\n`);
  if (args.option('output') === 'json') {
    const documents = rendered.flatMap((one) => one.documents).map(sortKeys);
    terminal.out(`${JSON.stringify(documents, null, 2)}\n`);
  }
  rendered.forEach(({ documents, deleted }, index) => {
    const xr = xrs[index];
    if (xr !== undefined && rendered.length > 1)
      terminal.err(`${xr.file}: ${describeObject(xr.object)}\n`);
    for (const object of deleted)
      terminal.err(`note: deletes ${describeObject(object)}, which is no longer desired\n`);
    if (args.option('output') !== 'json') terminal.out(printYamlStream(documents));
  });
}
