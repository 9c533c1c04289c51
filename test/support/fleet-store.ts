// How the bootstrap tests run it: short pauses, every line kept, problems as values.
import { randomUUID } from 'node:crypto';
import { type BootstrapOptions, bootstrap, type Outcome } from '../../src/bootstrap/bootstrap.ts';
import type { Environment } from '../../src/bootstrap/environment.ts';
import { readSettings } from '../../src/bootstrap/settings.ts';
import { type Problem, ProblemError } from '../../src/core/problem.ts';

export interface Run {
  readonly outcome: Outcome | Problem;
  readonly log: readonly string[];
}

/** Runs bootstrap with this environment, with the placeholder wanted unless said otherwise. */
export async function runBootstrap(
  environment: Environment,
  options: Partial<BootstrapOptions> = {},
): Promise<Run> {
  const log: string[] = [];
  try {
    const outcome = await bootstrap(readSettings(environment), {
      placeholder: true,
      probeId: randomUUID(),
      timeoutMs: 10_000,
      denialTimeoutMs: 0,
      firstPauseMs: 20,
      longestPauseMs: 100,
      signal: new AbortController().signal,
      log: (line) => log.push(line),
      ...options,
    });
    return { outcome, log };
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    const [problem] = error.problems;
    if (problem === undefined) throw new Error('a ProblemError without a problem');
    return { outcome: problem, log };
  }
}

/** The four keys of the placeholder, in the order they are written. */
export const PLACEHOLDER_KEYS: readonly string[] = [
  'deploy/placeholder/f4c84e5ad87bd05e/index.js',
  'deploy/placeholder/f4c84e5ad87bd05e/manifest.json',
  'deploy/placeholder/current.json',
  'deploy/current.json',
];

/** A bucket in use, as `celld deploy` and a node leave it. */
export const APPLICATION: Readonly<Record<string, string>> = {
  'deploy/shop/0123456789abcdef/index.js': 'export default {};\n',
  'deploy/shop/0123456789abcdef/manifest.json': '{"version":"0123456789abcdef"}',
  'deploy/shop/current.json': '{"version":"0123456789abcdef"}',
  'deploy/current.json':
    '{"script_name":"shop","version":"0123456789abcdef","prefix":"deploy/shop/0123456789abcdef","rollout":{"percent":100}}',
  'fleet/peer-auth.json': '{"version":1,"key":"00"}',
  'cells/Cart:1/ltx/e1/0/1-2.ltx': 'LTX1',
};
