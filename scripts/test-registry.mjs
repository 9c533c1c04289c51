// Builds for real, pushes to Debian's docker-registry on loopback, and runs what was pushed with podman and
// runc. Installs what is missing, for which it must be root.
import './prepare.mjs';
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const NEEDED = {
  'docker-registry': 'docker-registry',
  podman: 'podman',
  runc: 'runc',
  skopeo: 'skopeo',
};

const missing = Object.entries(NEEDED)
  .filter(([program]) => spawnSync(program, ['--version']).error !== undefined)
  .map(([, debianPackage]) => debianPackage);
if (missing.length > 0) {
  apt('update', '-q');
  apt('install', '-qy', '--no-install-recommends', ...missing);
}
const { status } = spawnSync(
  process.execPath,
  ['--enable-source-maps', '--test', join('build', 'test', 'package', 'real-registry.js')],
  { cwd: root, stdio: 'inherit' },
);
process.exit(status ?? 1);

function apt(...args) {
  const result = spawnSync('apt-get', args, {
    stdio: ['ignore', 2, 2],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
  if (result.status === 0) return;
  console.error(`error: apt-get ${args[0]} failed: install ${missing.join(', ')} yourself`);
  process.exit(1);
}
