// Runs bootstrap against real object stores: Versity's S3 gateway, and the emulator of Google Cloud Storage.
// Both come from the Go module proxy and are built once into a cache outside the checkout.
import './prepare.mjs';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const modules = join(root, 'test', 'bootstrap', 'real-stores');
const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'celld-stack', 'tools');

const { status } = spawnSync(
  process.execPath,
  ['--enable-source-maps', '--test', join('build', 'test', 'bootstrap', 'real-stores.js')],
  {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...process.env,
      VERSITYGW: tool('versitygw', 'github.com/versity/versitygw/cmd/versitygw'),
      FAKE_GCS_SERVER: tool('fake-gcs-server', 'github.com/fsouza/fake-gcs-server'),
    },
  },
);
process.exit(status ?? 1);

/** The binary of a module, built first when the cache has none for its go.sum. */
function tool(name, pkg) {
  const cwd = join(modules, name);
  const key = createHash('sha256')
    .update(readFileSync(join(cwd, 'go.sum')))
    .update(`${process.platform} ${process.arch}`)
    .digest('hex');
  const binary = join(cache, `${name}-${key.slice(0, 16)}`, name);
  if (existsSync(binary)) return binary;
  if (spawnSync('go', ['version']).status !== 0) {
    fail('the stores are built with Go, which is not on the PATH');
  }
  mkdirSync(dirname(binary), { recursive: true });
  console.error(`building ${name} (once; minutes, not seconds)`);
  const unfinished = `${binary}.${process.pid}`;
  const args = ['build', '-trimpath', '-ldflags', '-s -w', '-o', unfinished, pkg];
  if (spawnSync('go', args, { cwd, stdio: ['ignore', 2, 2] }).status !== 0) {
    fail(`cannot build ${name}, see above; its modules come from the Go module proxy`);
  }
  renameSync(unfinished, binary);
  return binary;
}

function fail(message) {
  console.error(`error: ${message}`);
  process.exit(1);
}
