// Runs the compiled tests with Node's own runner. Arguments are parts of file names to keep.
import './prepare.mjs';
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const wanted = process.argv.slice(2);
const files = readdirSync(join(root, 'build', 'test'), { recursive: true })
  .map((name) => join('build', 'test', name))
  .filter((name) => name.endsWith('.test.js'))
  .filter((name) => sourceExists(name))
  .filter((name) => wanted.length === 0 || wanted.some((part) => name.includes(part)))
  .sort();
if (files.length === 0) {
  console.error(`error: no test file matches ${wanted.join(' ')}`);
  process.exit(1);
}
// Many files wait for processes they have started, so a few more run at once than there are cores.
const atOnce = availableParallelism() + 2;
const flags = ['--enable-source-maps', '--test', `--test-concurrency=${atOnce}`];
const result = spawnSync(process.execPath, [...flags, ...files], {
  cwd: root,
  stdio: 'inherit',
});
process.exit(result.status ?? 1);

/** A compiled test whose source was removed or renamed is not a test any more. */
function sourceExists(name) {
  const source = relative('build', name).replace(/\.js$/, '.ts');
  return readdirSync(join(root, dirname(source))).includes(source.split(/[\\/]/).at(-1));
}
