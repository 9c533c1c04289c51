// One RunFunction over mTLS: ours beside a function that does nothing, in one run, turn by turn, so that
// what else the machine does falls on both. The figures to look at are the ratios. Linux only: /proc.
//
//   node build/bench/run-function.js [--json]      exit code 1 when a bar is missed
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectFile } from '../src/cli/project.ts';
import { ARTIFACTS } from '../src/compose/artifacts.ts';
import {
  bundleProgram,
  PROGRAM_FILE,
  STAMP_FILE,
  stampModule,
} from '../src/package/runtime/bundle.ts';
import { authority } from '../test/support/certificates.ts';
import { certificateFolder } from '../test/support/function-client.ts';
import { type Bar, barsTable, held, percentile } from './bars.ts';
import { type FunctionProcess, startFunction } from './function-process.ts';
import { exampleRequest } from './requests.ts';

/** As in the image: it keeps an idle function small, and both are measured with it. */
const NODE_FLAGS = ['--max-semi-space-size=4', '--max-old-space-size=256'];
const STARTS = 9;
const ROUNDS = 10;
const CALLS = 300;
const MEMORY_CALLS = 10_000;

interface Pair<T> {
  readonly empty: T;
  readonly ours: T;
}

const ca = authority('function-ca');
const { folder, remove } = certificateFolder(ca.issue('function'), ca);
const work = mkdtempSync(join(tmpdir(), 'celld-stack-bench-'));
try {
  await bundle();
  const all = exampleRequest('aws', '7-ready');
  const starts = await measureStarts(all);
  const pair = { empty: await start('empty', all), ours: await start('ours', all) };
  const bars = [
    bar('start to listening', starts, ' ms', 1.3),
    ...(await measureCalls('aws, all ready', pair, all)),
    ...(await measureCalls('minimal, all ready', pair, exampleRequest('minimal', '5-ready'))),
    ...(await measureMemory(pair)),
  ];
  pair.empty.kill();
  pair.ours.kill();
  report(bars, all.length);
} finally {
  remove();
  rmSync(work, { recursive: true });
}

/** Both functions in the form in which an image has them. */
async function bundle(): Promise<void> {
  const { files } = await bundleProgram(projectFile());
  for (const [name, bytes] of files) writeFileSync(join(work, name), bytes);
  const stamp = { version: 'v0.0.0', commit: 'bench', artifacts: ARTIFACTS };
  writeFileSync(join(work, STAMP_FILE), stampModule(stamp));
  const { build } = await import('esbuild');
  await build({
    entryPoints: [projectFile('bench', 'empty-function.ts')],
    outfile: join(work, 'empty.cjs'),
    bundle: true,
    minify: true,
    platform: 'node',
    logLevel: 'silent',
  });
}

function start(which: keyof Pair<unknown>, first: Uint8Array): Promise<FunctionProcess> {
  const args =
    which === 'ours'
      ? [join(work, PROGRAM_FILE), 'serve', '--address', '127.0.0.1:0']
      : [join(work, 'empty.cjs'), folder];
  return startFunction([...NODE_FLAGS, ...args], { ca, folder }, first);
}

async function measureStarts(first: Uint8Array): Promise<Pair<number>> {
  const times: Pair<number[]> = { empty: [], ours: [] };
  for (let i = 0; i < STARTS; i++) {
    for (const which of ['empty', 'ours'] as const) {
      const one = await start(which, first);
      times[which].push(one.startMs);
      one.kill();
    }
  }
  return { empty: percentile(times.empty, 0.5), ours: percentile(times.ours, 0.5) };
}

async function measureCalls(
  name: string,
  pair: Pair<FunctionProcess>,
  request: Uint8Array,
): Promise<Bar[]> {
  const one: Pair<number[]> = { empty: [], ours: [] };
  const many: Pair<number[]> = { empty: [], ours: [] };
  const seconds = { empty: 0, ours: 0 };
  const processor = { empty: 0, ours: 0 };
  for (let round = -2; round < ROUNDS; round++) {
    for (const which of ['empty', 'ours'] as const) {
      const before = pair[which].processorMs();
      const alone = await timed(pair[which], request, 1);
      const crowd = await timed(pair[which], request, 16);
      if (round < 0) continue; // until the code is compiled
      one[which].push(...alone.latencies);
      many[which].push(...crowd.latencies);
      seconds[which] += crowd.seconds;
      processor[which] += pair[which].processorMs() - before;
    }
  }
  const at = (times: Pair<number[]>, share: number) => ({
    empty: percentile(times.empty, share),
    ours: percentile(times.ours, share),
  });
  const rate = {
    empty: many.empty.length / seconds.empty,
    ours: many.ours.length / seconds.ours,
  };
  const calls = one.ours.length + many.ours.length;
  const each = { empty: processor.empty / calls, ours: processor.ours / calls };
  return [
    bar(`${name}: processor time a call`, each, ' ms'),
    bar(`${name}: one caller, p50`, at(one, 0.5), ' ms', 1.5),
    bar(`${name}: one caller, p99`, at(one, 0.99), ' ms'),
    bar(`${name}: 16 callers, p50`, at(many, 0.5), ' ms'),
    {
      name: `${name}: 16 callers, calls a second`,
      empty: rate.empty.toFixed(0),
      ours: rate.ours.toFixed(0),
      value: rate.empty / rate.ours,
      unit: ' times fewer',
    },
  ];
}

async function timed(
  { call }: FunctionProcess,
  request: Uint8Array,
  callers: number,
): Promise<{ latencies: number[]; seconds: number }> {
  const latencies: number[] = [];
  const begin = performance.now();
  const caller = async () => {
    for (let i = 0; i < CALLS / callers; i++) {
      const before = performance.now();
      await call(request);
      latencies.push(performance.now() - before);
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
  return { latencies, seconds: (performance.now() - begin) / 1000 };
}

/** Ten thousand stacks, a call each: memory and time at the beginning, and at the end. */
async function measureMemory(pair: Pair<FunctionProcess>): Promise<Bar[]> {
  const resident: Pair<number[]> = { empty: [], ours: [] };
  const latencies: Pair<number[]> = { empty: [], ours: [] };
  const step = MEMORY_CALLS / 10;
  for (let stack = 0; stack < MEMORY_CALLS; stack++) {
    const request = exampleRequest('aws', '7-ready', `stack-${stack}`);
    for (const which of ['empty', 'ours'] as const) {
      const before = performance.now();
      await pair[which].call(request);
      latencies[which].push(performance.now() - before);
    }
    if (stack % step !== step - 1) continue;
    resident.empty.push(pair.empty.residentMb());
    resident.ours.push(pair.ours.residentMb());
  }
  const most = { empty: Math.max(...resident.empty), ours: Math.max(...resident.ours) };
  const p50 = (which: keyof Pair<unknown>, from: number) =>
    percentile(latencies[which].slice(from, from + step), 0.5);
  const last = MEMORY_CALLS - step;
  // Against the empty function at the same time, since the machine may do other things.
  const early = p50('ours', 0) / p50('empty', 0);
  const late = p50('ours', last) / p50('empty', last);
  const middle = resident.ours[4] ?? 0;
  const end = resident.ours[9] ?? 0;
  return [
    {
      name: 'resident memory over 10,000 calls',
      empty: `${most.empty.toFixed(0)} MB`,
      ours: `${most.ours.toFixed(0)} MB`,
      value: most.ours - most.empty,
      unit: ' MB more',
      most: 20,
    },
    {
      name: 'resident memory, call 10,000 against call 5,000',
      empty: '',
      ours: `${middle.toFixed(0)} to ${end.toFixed(0)} MB`,
      value: end / middle,
      unit: ' times',
      most: 1.1,
    },
    {
      name: 'p50, stacks 9,001 to 10,000 against 1 to 1,000',
      empty: '',
      ours: `${early.toFixed(2)} to ${late.toFixed(2)} times the empty one`,
      value: late / early,
      unit: ' times',
      most: 1.25,
    },
  ];
}

function bar(name: string, { empty, ours }: Pair<number>, unit: string, most?: number): Bar {
  return {
    name,
    empty: `${empty.toFixed(2)}${unit}`,
    ours: `${ours.toFixed(2)}${unit}`,
    value: ours / empty,
    unit: ' times',
    ...(most === undefined ? {} : { most }),
  };
}

function report(bars: readonly Bar[], bytes: number): void {
  const machine = `Node.js ${process.versions.node}, ${cpus().length} processors, requests of ${bytes} bytes`;
  process.stdout.write(
    process.argv.includes('--json')
      ? `${JSON.stringify({ machine, bars }, null, 2)}\n`
      : `${machine}\n\n${barsTable(bars)}`,
  );
  process.exitCode = held(bars) ? 0 : 1;
}
