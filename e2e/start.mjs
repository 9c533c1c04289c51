// Makes e2e ready to run, then runs it: installs its packages when missing or stale, compiles, starts.
// Plain JavaScript without dependencies, since it runs before anything is installed.
import '../scripts/prepare.mjs';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = dirname(fileURLToPath(import.meta.url));
const lock = readFileSync(join(folder, 'package-lock.json'), 'utf8');
const stamp = join(folder, 'node_modules', '.celld-stack-lock.json');
if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== lock) {
  run('npm', ['ci', '--no-progress', '--loglevel=error'], folder);
  writeFileSync(stamp, lock);
}
const root = join(folder, '..');
run(process.execPath, [join('node_modules', 'typescript', 'bin', 'tsc'), '-p', 'e2e'], root);
await import('./build/e2e/main.js');

function run(command, args, cwd) {
  const result = spawnSync(command, args, { cwd, stdio: ['ignore', 2, 2] });
  if (result.status === 0) return;
  const how = result.status ?? result.error?.message;
  process.stderr.write(`error: ${command} ${args[0]} ended with ${how}
`);
  process.exit(1);
}
