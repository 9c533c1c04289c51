// Where the project's own files are, whatever folder a command is run from.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

// This file is build/src/cli/project.js when it runs.
const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..');

/** The absolute path of a file of this project, from parts relative to its root. */
export function projectFile(...parts: readonly string[]): string {
  return join(ROOT, ...parts);
}

/** The folder that build writes to and push reads from, relative to the project. */
export const BUILD_OUTPUT = '_output';
