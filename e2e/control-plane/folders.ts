// Where the project, its e2e data and the tools' cache are. This file is e2e/build/e2e/control-plane/folders.js when it runs.
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..', '..');

/** The absolute path of a file of the project. */
export function projectFile(...parts: readonly string[]): string {
  return join(ROOT, ...parts);
}

/** The folder outside the checkout where built tools are kept. */
export function cacheFolder(): string {
  return join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'celld-stack', 'tools');
}
