// Everything of this project that a cluster would get to see.
import { existsSync, readdirSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import type { KubeObject } from '../../core/kube-object.ts';
import { isKubeObject } from '../../core/kube-object.ts';
import { loadManifests, type Manifest, readText } from '../../manifests/load.ts';
import { parseYaml } from '../../manifests/yaml.ts';
import { ownComposition, ownFunctions, ownXrd } from '../own-stack.ts';
import { projectFile } from '../project.ts';
import { checkXr, renderXr } from '../render/render-xr.ts';
import { openStage, type Stage } from '../render/stage.ts';
import type { Subject, SubjectSet } from './subject.ts';

/** A file of documents as subjects. */
export function subjectsOf(manifests: readonly Manifest[]): readonly Subject[] {
  return manifests.map(({ object, file, placeOf }) => ({ object, source: file, placeOf }));
}

/** The definitions, package metadata, examples with all they compose, and what the chart renders. */
export async function ownSubjects(): Promise<readonly SubjectSet[]> {
  return [
    ...filesIn('apis', 'celldstacks'),
    ...filesIn('package'),
    ...filesIn('function'),
    ...(await exampleSets()),
    ...chartSets(),
  ];
}

/** The YAML files of one of our folders, each a set of its own. */
function filesIn(...parts: readonly string[]): readonly SubjectSet[] {
  return yamlFiles(...parts).map((file) => ({ subjects: subjectsOf(loadManifests([file])) }));
}

function yamlFiles(...parts: readonly string[]): readonly string[] {
  const folder = projectFile(...parts);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => /\.ya?ml$/u.test(name))
    .sort()
    .map((name) => relative('', join(folder, name)));
}

/**
 * What the chart renders in each of its modes. Most documents are the same in many modes: one that has
 * been seen is passed over before it is parsed.
 */
function chartSets(): readonly SubjectSet[] {
  const seen = new Set<string>();
  return yamlFiles('test', 'chart', 'expected').map((file) => {
    const fresh = readText(file)
      .split(/^---\n/mu)
      .map((text) => {
        if (!seen.has(text)) return text;
        return '\n'.repeat(text.split('\n').length - 1);
      });
    for (const text of fresh) seen.add(text);
    const { documents } = parseYaml(fresh.join('---\n'), file);
    return {
      subjects: documents.flatMap(({ value, placeOf }) =>
        isKubeObject(value) ? [{ object: value, source: file, placeOf }] : [],
      ),
    };
  });
}

async function exampleSets(): Promise<readonly SubjectSet[]> {
  const stage = openStage({
    composition: ownComposition(),
    functions: [],
    xrd: ownXrd(),
    own: ownFunctions,
    annotations: {},
    deadline: new Date(Date.now() + 60_000),
  });
  const sets: SubjectSet[] = [];
  try {
    for (const file of yamlFiles('examples', 'celldstacks')) {
      const manifests = loadManifests([file]);
      sets.push({ subjects: subjectsOf(manifests) });
      for (const xr of manifests) {
        if (xr.object.kind === stage.composition.composite.kind) {
          sets.push(...(await renderedSets(stage, xr, manifests)));
        }
      }
    }
    return sets;
  } finally {
    stage.close();
  }
}

/** What an example composes at first, and at each step its observed resources were recorded at. */
async function renderedSets(
  stage: Stage,
  xr: Manifest,
  beside: readonly Manifest[],
): Promise<readonly SubjectSet[]> {
  // A faulty XR is told of where it stands; nothing can be rendered from it.
  if (checkXr(stage, xr).length > 0) return [];
  const example = basename(xr.file).replace(/\.ya?ml$/u, '');
  const sets: SubjectSet[] = [];
  for (const step of [undefined, ...yamlFiles('examples', 'observed', example)]) {
    const around = {
      observed: step === undefined ? [] : observedAt(step),
      required: [],
      schemas: [],
      credentials: [],
      context: {},
    };
    const options = { fullXr: true, results: false, context: false };
    const { documents } = await renderXr(stage, xr, around, options);
    const source = step === undefined ? `${xr.file} rendered` : `${xr.file} rendered with ${step}`;
    const others = beside.filter((one) => one !== xr);
    sets.push({
      subjects: [
        ...documents.filter(isKubeObject).map((object) => rendered(object, source, xr.file)),
        ...subjectsOf(others),
      ],
    });
  }
  return sets;
}

const parsed = new Map<string, readonly KubeObject[]>();

/** The observed resources of a step. Steps of one life share most documents, which are parsed once. */
function observedAt(file: string): readonly Manifest[] {
  return readText(file)
    .split(/^---\n/mu)
    .flatMap((text) => {
      const objects = parsed.get(text) ?? objectsOf(text, file);
      parsed.set(text, objects);
      return objects.map((object) => ({ object, file, placeOf: () => ({ file }) }));
    });
}

function objectsOf(text: string, file: string): readonly KubeObject[] {
  return parseYaml(text, file)
    .documents.map(({ value }) => value)
    .filter(isKubeObject);
}

function rendered(object: KubeObject, source: string, file: string): Subject {
  return { object, source, placeOf: () => ({ file }) };
}
