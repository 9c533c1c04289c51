// `make oracle-render`: the official render, with the real core as its engine, beside ours.
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { main as celldStack } from '../../src/cli/main.ts';
import {
  canonicalText,
  isObject,
  type Json,
  type JsonObject,
  stringAt,
  valueAt,
} from '../../src/core/json.ts';
import { filesOf, loadManifests } from '../../src/manifests/load.ts';
import { parseYaml, printYamlStream } from '../../src/manifests/yaml.ts';
import { projectFile } from '../control-plane/folders.ts';
import { freePort } from '../control-plane/ports.ts';
import { startProcess } from '../control-plane/processes.ts';
import { buildTool } from '../control-plane/tools.ts';
import { clearAbandoned, openWorkplace } from '../control-plane/workplace.ts';
import { type Difference, differencesOf, report } from './differences.ts';
import { EXPLAINED } from './explained.ts';
import { goldenCases } from './golden-cases.ts';
import { observedState } from './observed-cases.ts';
import { composedCases } from './xr-cases.ts';

const SEED = 20_261_130;
const COMPOSITION = projectFile('apis', 'celldstacks', 'composition.yaml');
const DEFINITION = projectFile('apis', 'celldstacks', 'definition.yaml');

interface RenderCase {
  readonly name: string;
  readonly xr: JsonObject;
  readonly observed: readonly JsonObject[];
  readonly required?: readonly JsonObject[];
}

interface Output {
  readonly refused: boolean;
  readonly documents: readonly Json[];
  readonly said: string;
}

type Render = (one: RenderCase) => Promise<Output>;

/** Runs the oracle. Gives the exit code. */
export async function runRenderOracle(say: (line: string) => void): Promise<number> {
  await clearAbandoned();
  const workplace = openWorkplace();
  const address = `127.0.0.1:${await freePort()}`;
  const running = startProcess({
    name: 'function',
    command: process.execPath,
    folder: workplace.folder,
    args: [projectFile('bin', 'celld-stack'), 'serve', '--insecure', `--address=${address}`],
  });
  try {
    await sleep(1000);
    const theirs = official(workplace.folder, address, say);
    const cases = await allCases(theirs);
    const found: Difference[] = [];
    await inLanes(cases, async (one) => {
      found.push(...compare(one, await theirs(one), await ours(workplace.folder, one)));
    });
    const left = report('render', found, EXPLAINED, say);
    const blind = await missesAChange(cases, theirs);
    if (blind) say('the oracle does not see a changed field of ours: it compares nothing');
    say(`${cases.length} renders compared with the official one, ${left} differences`);
    return left === 0 && !blind ? 0 : 1;
  } finally {
    await running.stop();
    workplace.remove();
  }
}

/** Examples with each of their observed steps, the goldens, and generated XRs with random observed states. */
async function allCases(theirs: Render): Promise<readonly RenderCase[]> {
  const examples = filesOf(projectFile('examples', 'celldstacks'), false).flatMap((file) => {
    const [manifest] = loadManifests([file]);
    const name = file.slice(file.lastIndexOf('/') + 1).replace(/\.yaml$/u, '');
    if (manifest === undefined) return [];
    const plain = { name, xr: manifest.object, observed: [] };
    return [plain, ...stepsOf(name, manifest.object)];
  });
  const generated: RenderCase[] = [];
  await inLanes(composedCases(300, SEED), async ({ name, xr }) => {
    const first = await theirs({ name: `${name}-first`, xr, observed: [] });
    const composed = first.documents.slice(1).filter(isComposed);
    const observed = observedState(composed, SEED + Number(name.split('-')[1]));
    generated.push({ name, xr, observed });
  });
  return [...examples, ...goldenCases(), ...generated];
}

function stepsOf(name: string, xr: JsonObject): readonly RenderCase[] {
  const folder = projectFile('examples', 'observed', name);
  try {
    return filesOf(folder, false).map((file) => ({
      name: `${name}/${file.slice(file.lastIndexOf('/') + 1)}`,
      xr,
      observed: loadManifests([file]).map(({ object }) => object),
    }));
  } catch {
    return []; // an example without observed steps
  }
}

function isComposed(document: Json): document is JsonObject {
  const key = valueAt(
    document,
    'metadata',
    'annotations',
    'crossplane.io/composition-resource-name',
  );
  return isObject(document) && key !== undefined;
}

const LANES = 3;

async function inLanes<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = [...items];
  const lane = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) await work(next);
  };
  await Promise.all(Array.from({ length: LANES }, lane));
}

function compare(one: RenderCase, theirs: Output, ours: Output): readonly Difference[] {
  // Both refuse: each says it in its own words.
  if (theirs.refused && ours.refused) return [];
  if (theirs.refused || ours.refused) {
    return differencesOf(one.name, verdict(theirs), verdict(ours), 'exit');
  }
  const [left, right] = [theirs, ours].map(({ documents }) => inFixedOrder(documents));
  return differencesOf(one.name, left, right, 'documents');
}

/**
 * Events of unready resources come in the order of a Go map in the official tool, another one each
 * time: they are compared as a set. All other documents keep their places.
 */
function inFixedOrder(documents: readonly Json[]): readonly Json[] {
  const isEvent = (document: Json) => stringAt(document, 'kind') === 'Result';
  const events = documents.filter(isEvent).map((one) => canonicalText(one));
  return [...documents.filter((one) => !isEvent(one)), ...events.sort()];
}

function verdict({ refused, said }: Output): Json {
  return refused ? `refused: ${said}` : 'printed';
}

/** The files of a case, and the arguments that both tools take for them. */
function argumentsFor(folder: string, one: RenderCase): readonly string[] {
  const own = join(folder, 'cases', one.name.replaceAll('/', '_'));
  mkdirSync(own, { recursive: true });
  writeFileSync(join(own, 'xr.yaml'), printYamlStream([one.xr]));
  const args = [join(own, 'xr.yaml'), COMPOSITION, join(folder, 'functions.yaml')];
  const flags = [`--xrd=${DEFINITION}`, '--include-full-xr', '--include-function-results'];
  const given = { observed: one.observed, required: one.required ?? [] };
  return [
    ...args,
    ...flags,
    ...Object.entries(given).flatMap(([what, objects]) => {
      if (objects.length === 0) return [];
      const file = join(own, `${what}.yaml`);
      writeFileSync(file, printYamlStream(objects));
      return [`--${what}-resources=${file}`];
    }),
  ];
}

function official(folder: string, address: string, say: (line: string) => void): Render {
  const cli = buildTool('crossplane-cli', say);
  const core = buildTool('crossplane', say);
  const [composition] = loadManifests([COMPOSITION]);
  const name = stringAt(composition?.object, 'spec', 'pipeline', 0, 'functionRef', 'name') ?? '';
  const annotations = {
    'render.crossplane.io/runtime': 'Development',
    'render.crossplane.io/runtime-development-target': `dns:///${address}`,
  };
  const functions = {
    apiVersion: 'pkg.crossplane.io/v1',
    kind: 'Function',
    metadata: { name, annotations },
    spec: { package: `registry.example.com/${name}:v0.0.0` },
  };
  writeFileSync(join(folder, 'functions.yaml'), printYamlStream([functions]));
  return async (one) => {
    const args = [
      'composition',
      'render',
      ...argumentsFor(folder, one),
      `--crossplane-binary=${core}`,
    ];
    const { code, out, err } = await run(cli, args, folder);
    return { refused: code !== 0, documents: documentsOf(out), said: err };
  };
}

/** Our command, in this process. */
async function ours(folder: string, one: RenderCase): Promise<Output> {
  let [out, err] = ['', ''];
  const terminal = {
    out: (text: string) => {
      out += text;
    },
    err: (text: string) => {
      err += text;
    },
  };
  const code = await celldStack(['render', ...argumentsFor(folder, one)], terminal);
  return { refused: code !== 0, documents: documentsOf(out), said: err };
}

function documentsOf(text: string): readonly Json[] {
  return parseYaml(text, 'output').documents.map(({ value }) => value);
}

function run(
  command: string,
  args: readonly string[],
  home: string,
): Promise<{ code: number; out: string; err: string }> {
  return new Promise((resolve, reject) => {
    const env = { PATH: process.env['PATH'] ?? '', HOME: home };
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], env });
    let [out, err] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      err += text;
    });
    child.once('error', reject);
    child.once('close', (code) => resolve({ code: code ?? 1, out, err }));
  });
}

/** True when a field of ours that is changed by hand goes unnoticed. */
async function missesAChange(cases: readonly RenderCase[], theirs: Render): Promise<boolean> {
  const [one] = cases;
  if (one === undefined) return true;
  const real = await theirs(one);
  const changed = real.documents.map((document, i) =>
    i === 1 && isObject(document) ? { ...document, kind: 'ChangedByHand' } : document,
  );
  const found = compare(one, real, { ...real, documents: changed });
  return !found.some(({ path }) => path === 'documents[1].kind');
}
