// Comparison with a committed file. UPDATE_GOLDENS=1 rewrites it, which no build machine may do.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { projectFile } from '../../src/cli/project.ts';

/** Asserts that a text is the committed file at a path below the project's root, byte for byte. */
export function assertGolden(path: string, actual: string): void {
  const file = projectFile(...path.split('/'));
  if (process.env['UPDATE_GOLDENS'] === '1') {
    assert.equal(process.env['CI'], undefined, 'goldens are not updated where CI is set');
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, actual);
    return;
  }
  assert.equal(existsSync(file), true, `${path} does not exist: run with UPDATE_GOLDENS=1`);
  assert.equal(actual, readFileSync(file, 'utf8'), `${path} differs: run with UPDATE_GOLDENS=1`);
}
