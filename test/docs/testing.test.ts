// docs/testing.md shows files and what running them prints: both are tried.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { projectFile } from '../../src/cli/project.ts';
import { runCli } from '../support/run-cli.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

describe('docs/testing.md', () => {
  it('shows cases that do what it says', async (test) => {
    const text = readFileSync(projectFile('docs', 'testing.md'), 'utf8');
    const files = Object.fromEntries(
      [...text.matchAll(/^`([^`\n]+)`:\n\n```yaml\n([\s\S]*?)^```$/gmu)].map(([, path, body]) => [
        path ?? '',
        body ?? '',
      ]),
    );
    assert.deepEqual(Object.keys(files).sort(), [
      'stacks/production/case.yaml',
      'stacks/production/xr.yaml',
      'stacks/typo/case.yaml',
      'stacks/typo/xr.yaml',
    ]);
    const [, command = '', printed] =
      /^```console\n\$ celld-stack ([^\n]+)\n([\s\S]*?)^```$/mu.exec(text) ?? [];
    const cwd = temporaryFolder(test, files);
    assert.deepEqual(await runCli(command.split(' '), { cwd }), {
      code: 0,
      stdout: printed,
      stderr: '',
    });
  });
});
