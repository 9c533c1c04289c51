// Runs scenarios: those that disturb nobody in a few lanes, then the others one by one; prints what was measured.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Complaint } from './control-plane/complaint.ts';
import { sumOf } from './control-plane/metrics.ts';
import { type OpenPlane, openPlane } from './open-plane.ts';
import { breakerOpened, leastBudget, secondsToReady, writesByObject } from './scenarios/counts.ts';
import { type Measures, measuresTable } from './scenarios/measures.ts';
import { type Recorder, record } from './scenarios/recorder.ts';
import { SCENARIOS } from './scenarios/scenarios.ts';
import { makeStage, type Scenario, type Stage } from './scenarios/stage.ts';
import { transcript } from './scenarios/transcript.ts';

type Say = (line: string) => void;

const LANES = 3;

/** Runs the scenarios whose names hold one of the given texts, all without any. Gives the exit code. */
export async function runScenarios(names: readonly string[], say: Say): Promise<number> {
  const chosen = SCENARIOS.filter(
    (one) => names.length === 0 || names.some((name) => one.name.includes(name)),
  );
  if (chosen.length === 0) {
    throw new Complaint(
      `no scenario matches ${names.join(' ')}`,
      `there are: ${SCENARIOS.map((one) => one.name).join(', ')}`,
    );
  }
  const started = Date.now();
  const open = await openPlane(say);
  say(`the control plane runs after ${((Date.now() - started) / 1000).toFixed(1)} s`);
  const work = runAll(chosen, open, say);
  const result = await Promise.race([work, open.interrupted]);
  if (typeof result === 'string') {
    say(`${result}: ending`);
    await open.close();
    return 130;
  }
  const opens = sumOf(await open.plane.core.metrics(), 'circuit_breaker_opens_total');
  const failed = result.filter((one) => one.outcome === 'failed');
  const kept = await open.close(failed.length > 0 ? 'logs' : undefined);
  process.stdout.write(`${measuresTable(result)}\n`);
  say(
    `${result.length - failed.length} of ${result.length} scenarios passed in ${((Date.now() - started) / 1000).toFixed(0)} s; breaker openings since core last started: ${opens}`,
  );
  if (kept !== undefined) say(`the logs are in ${kept}`);
  return failed.length === 0 ? 0 : 1;
}

async function runAll(
  chosen: readonly Scenario[],
  open: OpenPlane,
  say: Say,
): Promise<readonly Measures[]> {
  const results: Measures[] = [];
  const queue = chosen.filter((one) => one.alone !== true);
  const lane = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      results.push(await runOne(next, open, say));
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  for (const one of chosen.filter((scenario) => scenario.alone === true)) {
    results.push(await runOne(one, open, say));
  }
  return results;
}

async function runOne(scenario: Scenario, open: OpenPlane, say: Say): Promise<Measures> {
  const { plane, played } = open;
  const started = Date.now();
  let recorder: Recorder | undefined;
  let stage: Stage | undefined;
  let failure: unknown;
  try {
    const begin = async (namespace: string) => {
      recorder = await record(plane.kubernetes.cluster, namespace);
      return recorder;
    };
    stage = await makeStage(plane, played, begin, scenario.name);
    await scenario.run(stage);
  } catch (error) {
    failure = error;
  }
  recorder?.stop();
  const seconds = (Date.now() - started) / 1000;
  const logs = join(plane.workplace.folder, 'logs');
  if (failure === undefined) say(`ok      ${scenario.name} (${seconds.toFixed(0)} s)`);
  else {
    say(`failed  ${scenario.name} (${seconds.toFixed(0)} s): ${scenario.why}\n${indent(failure)}`);
    writeFileSync(join(logs, `${scenario.name}.yaml`), transcript(recorder?.changes() ?? []));
  }
  return measure(scenario, recorder, stage, seconds, failure === undefined);
}

function indent(error: unknown): string {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return text.replace(/^/gmu, '        ');
}

function measure(
  scenario: Scenario,
  recorder: Recorder | undefined,
  stage: Stage | undefined,
  seconds: number,
  passed: boolean,
): Measures {
  const changes = recorder?.changes() ?? [];
  const xrs = [...new Set(changes.map((one) => one.xr))].filter((xr) => xr !== '');
  const [most] = xrs.flatMap((xr) => writesByObject(changes, xr)).sort(([, a], [, b]) => b - a);
  return {
    scenario: scenario.name,
    outcome: passed ? 'ok' : 'failed',
    seconds,
    secondsToReady: xrs.map((xr) => secondsToReady(changes, xr)).find((one) => one !== undefined),
    calls: stage?.calls(),
    events: changes.length,
    leastBudget: Math.min(100, ...xrs.map((xr) => leastBudget(changes, xr))),
    opens: xrs.filter((xr) => breakerOpened(changes, xr)).length,
    mostWritten: most === undefined ? '-' : `${most[0]} ${most[1]}`,
    writesAtRest: stage?.writesAtRest(),
  };
}
