// What docs/validate.md shows is what the command prints.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { projectFile } from '../../src/cli/project.ts';
import { runCli } from '../support/run-cli.ts';

describe('docs/validate.md', () => {
  it('shows what the command prints', async () => {
    const page = readFileSync(projectFile('docs', 'validate.md'), 'utf8');
    const block = /```console\n\$ bin\/celld-stack (?<command>.*)\n(?<output>[\s\S]*?)```/u.exec(
      page,
    );
    const { command = '', output } = block?.groups ?? {};
    const { code, stdout, stderr } = await runCli(command.split(' '));
    assert.deepEqual({ code, stdout, stderr }, { code: 0, stdout: output, stderr: '' });
  });
});
