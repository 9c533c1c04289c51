// The validate command behind its options: what is judged, by which kinds, and what is printed.
import { existsSync } from 'node:fs';
import { stringAt } from '../../core/json.ts';
import type { KubeObject } from '../../core/kube-object.ts';
import { refuse } from '../../core/problem.ts';
import { loadManifests, type Manifest } from '../../manifests/load.ts';
import type { Arguments } from '../command.ts';
import { ownXrd } from '../own-stack.ts';
import { projectFile } from '../project.ts';
import type { Terminal } from '../terminal.ts';
import { inputsOf, type Judged } from './check-subject.ts';
import { readHints } from './hints.ts';
import { judgeSets, type Previous } from './judge-sets.ts';
import { isDefinition, knownKinds } from './kinds.ts';
import { ownSubjects, subjectsOf } from './own-subjects.ts';
import { type Dependencies, dependenciesOf } from './provider-fields.ts';
import { formatReport, summaryOf } from './report.ts';
import type { Subject, SubjectSet } from './subject.ts';

/** Runs the command: exit code 0 when everything is valid, as the official tool counts it. */
export async function runValidate(args: Arguments, terminal: Terminal): Promise<number> {
  const { extensions, sets } = await given(args, terminal);
  const all = sets.flatMap(({ subjects }) => subjects);
  const definitions = [...extensions, ...all.map(({ object }) => object)].filter(isDefinition);
  const results = judgeSets(sets, {
    kinds: knownKinds([ownXrd().object, ...definitions]),
    previous: previousOf(args),
    dependencies: dependenciesAmong(all),
  });
  terminal.out(
    formatReport(results, {
      format: args.option('output') ?? 'text',
      skipSuccess: args.flag('skip-success-results'),
      hintOf: args.flag('fix-hint') ? readHints() : () => undefined,
    }),
  );
  return exitCode(args, terminal, results);
}

function exitCode(args: Arguments, terminal: Terminal, results: readonly Judged[]): number {
  const { invalid, missingSchemas } = summaryOf(results);
  const isMissing = args.flag('error-on-missing-schemas') && missingSchemas > 0;
  if (invalid === 0 && !isMissing) return 0;
  const rest = isMissing && invalid === 0 ? ', schema(s) missing' : '';
  terminal.err(`error: could not validate all resources${rest}\n`);
  return 1;
}

interface Given {
  readonly extensions: readonly KubeObject[];
  readonly sets: readonly SubjectSet[];
}

async function given(args: Arguments, terminal: Terminal): Promise<Given> {
  const [first, second] = args.positionals;
  if (first === undefined) {
    if (args.options('previous').length > 0) {
      refuse('USAGE', '--previous needs the resources that replace it', {
        hint: 'see celld-stack validate --help',
      });
    }
    return { extensions: [], sets: await ownSubjects() };
  }
  if (first === '-' && second === '-') {
    refuse('USAGE', 'standard input cannot be both extensions and resources');
  }
  const extensions = second === undefined ? [] : load(first);
  for (const { object, file } of extensions) {
    if (isDefinition(object)) continue;
    const { apiVersion, kind } = object;
    terminal.err(`note: ${file}: ${apiVersion} ${kind} defines no kinds, nothing is downloaded\n`);
  }
  const subjects = subjectsOf(load(second ?? first));
  const inputs = subjects.flatMap(inputsOf);
  return {
    extensions: extensions.map(({ object }) => object),
    sets: [{ subjects: [...subjects, ...inputs] }],
  };
}

/** The documents of files and folders separated by commas. */
function load(paths: string): readonly Manifest[] {
  const all = paths.split(',').filter((path) => path !== '');
  return loadManifests(all, { recursive: true });
}

function previousOf(args: Arguments): Previous {
  const old = args.options('previous').flatMap(load);
  return (object) => old.find((one) => keyOf(one.object) === keyOf(object))?.object;
}

function keyOf(object: KubeObject): string {
  const { apiVersion, kind, metadata } = object;
  return JSON.stringify([
    apiVersion,
    kind,
    stringAt(metadata, 'namespace') ?? '',
    stringAt(metadata, 'name') ?? '',
  ]);
}

/** The dependencies of a Configuration among the resources, else those of our own package. */
function dependenciesAmong(subjects: readonly Subject[]): Dependencies {
  const isConfiguration = ({ object }: Pick<Subject, 'object'>) =>
    object.kind === 'Configuration' && object.apiVersion.startsWith('meta.pkg.crossplane.io/');
  const found = subjects.find(isConfiguration)?.object;
  const file = projectFile('package', 'crossplane.yaml');
  if (found !== undefined || !existsSync(file)) return dependenciesOf(found ?? null);
  return dependenciesOf(loadManifests([file]).find(isConfiguration)?.object ?? null);
}
