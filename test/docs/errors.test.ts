// docs/errors.md explains every code, and none that does not exist.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { projectFile } from '../../src/cli/project.ts';
import { PROBLEM_CODES } from '../../src/core/problem-codes.ts';

describe('docs/errors.md', () => {
  it('explains each problem code once', () => {
    const text = readFileSync(projectFile('docs', 'errors.md'), 'utf8');
    const explained = [...text.matchAll(/^\| `([A-Z_]+)`/gmu)].map((match) => match[1] ?? '');
    assert.deepEqual([...explained].sort(), [...PROBLEM_CODES].sort());
  });
});
