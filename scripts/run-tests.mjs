// Runs the compiled tests with Node's own runner. Arguments are parts of file names to keep.
import './prepare.mjs';
import { spawnSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Stores and fleets of processes, with the pauses of real ones: `make test-fleet`. */
const LONG = /^build[\\/]test[\\/]fleet[\\/]/;

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const wanted = process.argv.slice(2);
const files = readdirSync(join(root, 'build', 'test'), { recursive: true })
  .map((name) => join('build', 'test', name))
  .filter((name) => name.endsWith('.test.js'))
  .filter((name) => sourceExists(name))
  .filter((name) =>
    wanted.length === 0 ? !LONG.test(name) : wanted.some((part) => name.includes(part)),
  )
  .sort();
if (files.length === 0) {
  console.error(`error: no test file matches ${wanted.join(' ')}`);
  process.exit(1);
}
// Many files wait for processes they have started, so a few more run at once than there are cores.
const atOnce = availableParallelism() + 2;
const flags = ['--enable-source-maps', '--test', `--test-concurrency=${atOnce}`];
const result = spawnSync(process.execPath, [...flags, ...together(files)], {
  cwd: root,
  stdio: 'inherit',
});
process.exit(result.status ?? 1);

/**
 * The files to start. Those of the layers without processes, files or network share one process a layer:
 * starting a process for each would cost more than running them.
 */
function together(all) {
  const layerOf = (name) => name.split(/[\\/]/)[2];
  const pure = ['api', 'celld', 'compose', 'core', 'crossplane', 'manifests', 'schema'];
  const shared = pure.flatMap((layer) => {
    const members = all.filter((name) => layerOf(name) === layer);
    if (members.length < 2) return members;
    const entry = join('build', `${layer}.tests.mjs`);
    const imports = members.map(
      (name) => `import './${relative('build', name).replaceAll('\\', '/')}';\n`,
    );
    writeFileSync(join(root, entry), imports.join(''));
    return [entry];
  });
  return [...shared, ...all.filter((name) => !pure.includes(layerOf(name)))];
}

/** A compiled test whose source was removed or renamed is not a test any more. */
function sourceExists(name) {
  const source = relative('build', name).replace(/\.js$/, '.ts');
  return readdirSync(join(root, dirname(source))).includes(source.split(/[\\/]/).at(-1));
}
