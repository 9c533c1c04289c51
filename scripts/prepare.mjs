// Makes a clone ready to run: installs packages when they are missing or stale, compiles when sources changed.
// Plain JavaScript without dependencies, since it runs before anything is installed.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  fail(`celld-stack needs Node.js 20.19 or newer: this is ${process.versions.node}`);
}

install();
compile();

/** `npm ci`, unless node_modules was made from this very lock file. */
function install() {
  const lock = readFileSync(join(root, 'package-lock.json'), 'utf8');
  const stamp = join(root, 'node_modules', '.celld-stack-lock.json');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return;
  run('npm', ['ci', '--no-progress', '--loglevel=error'], 'cannot install packages');
  writeFileSync(stamp, lock);
}

/** `tsc`, when a source is newer than the last complete compilation. */
function compile() {
  const stamp = join(root, 'build', '.compiled');
  const inputs = ['src', 'test', 'bench', 'e2e', 'tsconfig.json', 'package-lock.json'];
  const newest = Math.max(...inputs.map((input) => newestIn(join(root, input))));
  if (existsSync(stamp) && statSync(stamp).mtimeMs >= newest) return;
  run(process.execPath, [join('node_modules', 'typescript', 'bin', 'tsc')], 'cannot compile');
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, '');
}

function newestIn(path) {
  if (!existsSync(path)) return 0;
  const stat = statSync(path);
  if (!stat.isDirectory()) return /\.(ts|json)$/.test(path) ? stat.mtimeMs : 0;
  return readdirSync(path).reduce(
    (newest, name) =>
      ['node_modules', 'build'].includes(name)
        ? newest
        : Math.max(newest, newestIn(join(path, name))),
    stat.mtimeMs,
  );
}

// Standard output belongs to the command that is prepared for, so everything goes to standard error.
function run(command, args, complaint) {
  const result = spawnSync(command, args, {
    cwd: root,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32' && command === 'npm',
  });
  if (result.status !== 0)
    fail(
      `${complaint}: ${command} ${args[0]} ended with ${result.status ?? result.error?.message}`,
    );
}

function fail(message) {
  console.error(`error: ${message}`);
  process.exit(1);
}
