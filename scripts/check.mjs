// The gate: format and lint, types, freshness, tests, dead code. What it says is what CI says.
import './prepare.mjs';
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const tool = (...parts) => [process.execPath, [join(root, 'node_modules', ...parts)]];

const steps = [
  ['format and lint', ...tool('@biomejs', 'biome', 'bin', 'biome'), ['check', '.']],
  ['generated files', process.execPath, ['scripts/generate.mjs'], ['--check']],
  ['dead code', ...tool('knip', 'bin', 'knip.js'), []],
  ['tests', process.execPath, ['scripts/run-tests.mjs'], []],
];

for (const [name, command, entry, args] of steps) {
  console.log(`# ${name}`);
  const { status } = spawnSync(command, [...entry, ...args], { cwd: root, stdio: 'inherit' });
  if (status !== 0) {
    console.error(`error: ${name} failed`);
    process.exit(1);
  }
}
