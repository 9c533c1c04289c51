// Renders charts/celld with the real Helm. Values travel as a file on standard input, never as --set.
import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectFile } from '../../src/cli/project.ts';
import type { JsonObject } from '../../src/core/json.ts';
import type { KubeObject } from '../../src/core/kube-object.ts';
import { mergeValues } from '../../src/core/merge.ts';
import { formatProblem } from '../../src/core/problem.ts';
import { parseYaml } from '../../src/manifests/yaml.ts';
import { helmProgram } from './helm-program.ts';

export interface Rendering {
  readonly release?: string;
  readonly namespace?: string;
  readonly values: JsonObject;
}

export interface Outcome {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

const CHART = projectFile('charts', 'celld');

/** `helm template` of the chart: every object it renders, in Helm's order. Throws what Helm said. */
export async function renderChart(rendering: Rendering): Promise<readonly KubeObject[]> {
  const outcome = await templateChart(rendering);
  if (outcome.status !== 0) throw new Error(`helm template failed:\n${outcome.stderr}`);
  return readObjects(outcome.stdout);
}

/** `helm template` of the chart, whatever comes of it. */
export function templateChart(rendering: Rendering, ...more: readonly string[]): Promise<Outcome> {
  const { release = 'celld', namespace = 'celld', values } = rendering;
  return helm(
    ['template', release, CHART, '--namespace', namespace, '--values', '-', ...more],
    values,
  );
}

/**
 * `helm lint --strict` of the chart for many sets of values at once: of one copy each, whose values.yaml
 * is that of the chart with the values over it.
 */
export async function lintCharts(all: { readonly [title: string]: JsonObject }): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'celld-stack-lint-'));
  const file = join(CHART, 'values.yaml');
  const defaults = parseYaml(readFileSync(file, 'utf8'), file).documents[0]?.value as JsonObject;
  try {
    const copies = Object.entries(all).map(([title, values]) => {
      const copy = join(folder, title, 'celld');
      cpSync(CHART, copy, { recursive: true });
      writeFileSync(join(copy, 'values.yaml'), JSON.stringify(mergeValues(defaults, values)));
      return copy;
    });
    return await helm(['lint', '--strict', '--quiet', ...copies], {});
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The objects of a stream of manifests. */
export function readObjects(text: string): readonly KubeObject[] {
  const { documents, problems } = parseYaml(text, 'helm template');
  if (problems.length > 0) throw new Error(problems.map(formatProblem).join('\n'));
  return documents.map(({ value }) => value as KubeObject);
}

/** Helm with a home of its own, so that no configuration of the machine counts. */
export async function helm(args: readonly string[], values: JsonObject): Promise<Outcome> {
  const home = join(tmpdir(), 'celld-stack-helm');
  mkdirSync(home, { recursive: true });
  return run(helmProgram(), args, JSON.stringify(values), {
    PATH: process.env['PATH'] ?? '',
    // One short run: collecting garbage would only cost time.
    GOGC: 'off',
    GOMAXPROCS: '1',
    HOME: home,
    HELM_CACHE_HOME: join(home, 'cache'),
    HELM_CONFIG_HOME: join(home, 'config'),
    HELM_DATA_HOME: join(home, 'data'),
    KUBECONFIG: join(home, 'no-kubeconfig'),
  });
}

let running = 0;
const waiting: (() => void)[] = [];

/** One process, at most one a core at a time. */
export async function run(
  program: string,
  args: readonly string[],
  input: string,
  env: NodeJS.ProcessEnv,
): Promise<Outcome> {
  if (running >= availableParallelism()) await new Promise<void>((go) => waiting.push(go));
  running++;
  try {
    return await spawnOnce(program, args, input, env);
  } finally {
    running--;
    waiting.shift()?.();
  }
}

function spawnOnce(
  program: string,
  args: readonly string[],
  input: string,
  env: NodeJS.ProcessEnv,
): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { env, stdio: 'pipe' });
    const [stdout, stderr]: [Buffer[], Buffer[]] = [[], []];
    child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
    child.on('error', reject);
    child.on('close', (code) =>
      resolve({
        status: code ?? -1,
        stdout: Buffer.concat(stdout).toString('utf8'),
        stderr: Buffer.concat(stderr).toString('utf8'),
      }),
    );
    // A program may end before it has read its input: its outcome says all there is to say.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
  });
}
