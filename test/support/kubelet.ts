// Runs a rendered pod as processes of this machine, as a kubelet would: init containers until they
// succeed, containers restarted when they end, probes, preStop, SIGTERM, and SIGKILL when grace is over.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { type JsonObject, listAt, numberAt, objectAt, stringAt } from '../../src/core/json.ts';
import { containerEnvironment, expand, type PodFacts } from './pod-environment.ts';
import { askProbe } from './pod-probe.ts';
import { type Mounts, makeVolumes, mountsOf } from './pod-volumes.ts';

/** The program of an image: what its ENTRYPOINT is, with the arguments of the container behind it. */
export type RunImage = (
  image: string,
  command: readonly string[],
  args: readonly string[],
  mounts: Mounts,
) => readonly string[];

export interface PodOptions extends PodFacts {
  readonly spec: JsonObject;
  readonly claims: readonly string[];
  readonly folder: string;
  readonly runImage: RunImage;
  /** Variables of the test itself, beside those of the container. */
  readonly testEnvironment?: Readonly<Record<string, string>>;
}

export interface Termination {
  /** The code of the main container, null when it was killed. */
  readonly code: number | null;
  readonly ms: number;
  readonly graceMs: number;
}

export interface Pod {
  readonly name: string;
  readonly ip: string;
  /** What the containers printed, each line with the container in front. */
  readonly lines: readonly string[];
  /** Exit codes in order, each with the container in front. */
  readonly exits: readonly string[];
  readonly isReady: () => boolean;
  /** Waits until the pod is ready; throws what it printed when that takes too long. */
  readonly ready: (ms: number) => Promise<void>;
  /** Deletes the pod: preStop and SIGTERM, then SIGKILL when the grace is over. */
  readonly terminate: () => Promise<Termination>;
}

/** A crashed container is started again after this; a kubelet begins with ten seconds. */
const BACK_OFF_MS = 500;

/** Starts a pod of one container and gives it at once. */
export function startPod(options: PodOptions): Pod {
  const [container] = listAt(options.spec, 'containers') as readonly JsonObject[];
  if (container === undefined) throw new Error('a pod needs a container');
  makeVolumes(options.spec, options.claims, options.folder, options);
  const state = { ready: false, stopping: false, running: undefined as ChildProcess | undefined };
  const [lines, exits]: [string[], string[]] = [[], []];

  const run = async (of: JsonObject): Promise<number | null> => {
    const name = stringAt(of, 'name') ?? '';
    const child = startContainer(of, options);
    state.running = child;
    collect(child, (line) => lines.push(`${name}: ${line}`));
    const [code] = (await once(child, 'close')) as [number | null];
    exits.push(`${name}: ${code}`);
    state.running = undefined;
    return code;
  };
  const live = async (): Promise<void> => {
    for (const init of listAt(options.spec, 'initContainers') as readonly JsonObject[]) {
      while (!state.stopping && (await run(init)) !== 0) await sleep(BACK_OFF_MS);
    }
    while (!state.stopping) {
      const probing = probe(container, options.ip, state);
      await run(container);
      state.ready = false;
      await probing.stop();
      if (!state.stopping) await sleep(BACK_OFF_MS);
    }
  };
  const life = live();

  return {
    name: options.name,
    ip: options.ip,
    lines,
    exits,
    isReady: () => state.ready,
    ready: async (ms) => {
      const end = performance.now() + ms;
      while (!state.ready) {
        if (performance.now() > end) throw new Error(`not ready:\n${lines.join('\n')}`);
        await sleep(10);
      }
    },
    terminate: async () => {
      const start = performance.now();
      const graceMs = (numberAt(options.spec, 'terminationGracePeriodSeconds') ?? 30) * 1000;
      const child = state.running;
      state.stopping = true;
      const killing = setTimeout(() => child?.kill('SIGKILL'), graceMs);
      const exited = child === undefined ? Promise.resolve([null]) : once(child, 'exit');
      await preStop(container);
      child?.kill('SIGTERM');
      const [code] = (await exited) as [number | null];
      clearTimeout(killing);
      await life;
      return { code, ms: performance.now() - start, graceMs };
    },
  };
}

function startContainer(container: JsonObject, options: PodOptions): ChildProcess {
  const mounts = mountsOf(container, options.folder);
  const environment = containerEnvironment(container, options);
  const texts = (field: string) =>
    listAt(container, field).map((text) => mounts.translate(expand(String(text), environment)));
  const [program = '', ...args] = options.runImage(
    stringAt(container, 'image') ?? '',
    texts('command'),
    texts('args'),
    mounts,
  );
  const translated = Object.entries(environment).map(([name, value]) => [
    name,
    mounts.translate(value),
  ]);
  return spawn(program, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      ...Object.fromEntries(translated),
      ...options.testEnvironment,
    },
  });
}

function collect(child: ChildProcess, onLine: (line: string) => void): void {
  for (const stream of [child.stdout, child.stderr]) {
    let rest = '';
    stream?.on('data', (chunk: Buffer) => {
      const parts = `${rest}${chunk}`.split('\n');
      rest = parts.pop() ?? '';
      for (const line of parts) onLine(line);
    });
    stream?.on('close', () => {
      if (rest !== '') onLine(rest);
    });
  }
}

/** Asks the readiness probe at its pace and keeps `ready` true to it. */
function probe(
  container: JsonObject,
  ip: string,
  state: { ready: boolean },
): { readonly stop: () => Promise<void> } {
  const stop = new AbortController();
  const asking = probeUntil(stop.signal, container, ip, state);
  return {
    stop: () => {
      stop.abort();
      return asking;
    },
  };
}

async function probeUntil(
  signal: AbortSignal,
  container: JsonObject,
  ip: string,
  state: { ready: boolean },
): Promise<void> {
  const readiness = objectAt(container, 'readinessProbe');
  const threshold = numberAt(readiness, 'failureThreshold') ?? 3;
  const pause = (seconds: number) =>
    sleep(seconds * 1000, undefined, { signal }).catch(() => undefined);
  await pause(numberAt(readiness, 'initialDelaySeconds') ?? 0);
  for (let failures = 0; !signal.aborted; ) {
    const fine = await askProbe(readiness, container, ip);
    if (signal.aborted) return;
    failures = fine ? 0 : failures + 1;
    if (fine) state.ready = true;
    if (failures >= threshold) state.ready = false;
    await pause(numberAt(readiness, 'periodSeconds') ?? 10);
  }
}

/** Only commands that every image of ours has. */
async function preStop(container: JsonObject): Promise<void> {
  const [program, seconds] = listAt(container, 'lifecycle', 'preStop', 'exec', 'command');
  if (program === undefined) return;
  if (program !== 'sleep') throw new Error(`no program ${JSON.stringify(program)}`);
  await sleep(Number(seconds) * 1000);
}
