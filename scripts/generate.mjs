// Writes every generated file, or with --check only compares: exit 1 when one is stale.
import './prepare.mjs';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { apiTypes } from './generate/api-types.mjs';
import { chartReadme } from './generate/chart-values.mjs';
import { definitionJson } from './generate/definition-json.mjs';
import { editorSchema } from './generate/editor-schema.mjs';
import { LIVES, observedSteps } from './generate/observed.mjs';
import { readmeTables } from './generate/reference.mjs';
import { chartReleases } from './generate/releases.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const { RELEASE_LINES } = await import('../build/src/celld/releases.js');
const { parseYaml, printYamlStream } = await import('../build/src/manifests/yaml.js');
const { compose } = await import('../build/src/compose/compose.js');
const { compositeCrd } = await import('../build/src/schema/composite-schema.js');
const source = 'apis/celldstacks/definition.yaml';
const read = (path) => readFileSync(join(root, path), 'utf8');
const object = (path) => parseYaml(read(path), path).documents[0].value;
const definition = object(source);

/** Path of each generated file and its text. */
const generated = [
  ['src/api/celld-stack.gen.ts', apiTypes(definition)],
  ['schemas/celldstack.definition.gen.json', definitionJson(read(source), definition)],
  ['schemas/celldstack.schema.json', editorSchema(compositeCrd(definition))],
  ['README.md', readmeTables(read('README.md'), definition)],
  ['charts/celld/files/releases.gen.json', chartReleases(RELEASE_LINES)],
  [
    'charts/celld/README.md',
    chartReadme(
      read('charts/celld/README.md'),
      read('charts/celld/values.yaml'),
      JSON.parse(read('charts/celld/values.schema.json')),
    ),
  ],
  ...Object.keys(LIVES).flatMap((example) =>
    observedSteps(
      example,
      object(`examples/celldstacks/${example}.yaml`),
      compose,
      printYamlStream,
    ),
  ),
];

const check = process.argv.includes('--check');
for (const [path, text] of generated) {
  const file = join(root, path);
  if (existsSync(file) && readFileSync(file, 'utf8') === text) continue;
  if (check) {
    console.error(`error: ${path} is stale: run npm run generate`);
    process.exitCode = 1;
  } else {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    console.log(`wrote ${path}`);
  }
}
