// Every golden of test/cases as input of both tools: its XR, what is observed, what the function asks for.
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type JsonObject, objectAt, stringAt, valueAt } from '../../src/core/json.ts';
import { filesOf, loadManifests, readText } from '../../src/manifests/load.ts';
import { parseYaml } from '../../src/manifests/yaml.ts';
import { projectFile } from '../control-plane/folders.ts';

export interface GoldenCase {
  readonly name: string;
  readonly xr: JsonObject;
  readonly observed: readonly JsonObject[];
  readonly required: readonly JsonObject[];
}

/** The goldens that use our own Composition. */
export function goldenCases(): readonly GoldenCase[] {
  const root = projectFile('test', 'cases');
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('case.yaml'))
    .sort()
    .flatMap((path) => goldenCase(join(root, path), dirname(path)));
}

function goldenCase(file: string, name: string): readonly GoldenCase[] {
  const settings = objectAt(parseYaml(readText(file), file).documents[0], 'value');
  if (valueAt(settings, 'composition') !== undefined) return [];
  const folder = dirname(file);
  const resources = (field: string): readonly JsonObject[] => {
    const path = join(folder, stringAt(settings, field) ?? `${field}.yaml`);
    if (!existsSync(path)) return [];
    return loadManifests(filesOf(path, false)).map(({ object }) => object);
  };
  return resources('xr')
    .filter((object) => object['kind'] === 'CelldStack')
    .map((xr) => ({
      name: `golden-${name}`,
      xr,
      observed: resources('observed'),
      required: resources('required'),
    }));
}
