// Generated files are committed; this holds them to what they are generated from.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, it } from 'node:test';
import { projectFile } from '../src/cli/project.ts';

describe('generated files', () => {
  it('are fresh', () => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [projectFile('scripts', 'generate.mjs'), '--check'],
      { encoding: 'utf8' },
    );
    assert.deepEqual({ status, stdout, stderr }, { status: 0, stdout: '', stderr: '' });
  });
});
