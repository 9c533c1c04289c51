// Our own goldens: every case beneath test/cases, through the command a platform team uses for its own.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseArguments } from '../src/cli/command.ts';
import { test as command } from '../src/cli/commands/test.ts';
import { projectFile } from '../src/cli/project.ts';
import { findCases } from '../src/cli/test/find-cases.ts';
import { memoryTerminal } from './support/memory-terminal.ts';

describe('test/cases', () => {
  for (const folder of findCases([projectFile('test', 'cases')], [])) {
    it(folder.slice(projectFile('test', 'cases').length + 1), async () => {
      const terminal = memoryTerminal();
      const code = await command.run(parseArguments(command, [folder]), terminal);
      assert.equal(code, 0, terminal.stdout());
    });
  }
});
