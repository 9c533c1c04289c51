// Writes every generated file, or with --check only compares: exit 1 when one is stale.
import './prepare.mjs';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { apiTypes } from './generate/api-types.mjs';
import { referenceTable } from './generate/reference.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const { parseYaml } = await import('../build/src/manifests/yaml.js');
const source = 'apis/celldstacks/definition.yaml';
const definition = parseYaml(readFileSync(join(root, source), 'utf8'), source).documents[0].value;

/** Path of each generated file and its text. */
const generated = [
  ['src/api/celld-stack.gen.ts', apiTypes(definition)],
  ['docs/reference.md', referenceTable(definition)],
];

const check = process.argv.includes('--check');
for (const [path, text] of generated) {
  const file = join(root, path);
  if (existsSync(file) && readFileSync(file, 'utf8') === text) continue;
  if (check) {
    console.error(`error: ${path} is not what ${source} gives: run npm run generate`);
    process.exitCode = 1;
  } else {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    console.log(`wrote ${path}`);
  }
}
