// Every file of test/data/broken is wrong in the way its first comment says, and gives exactly the errors
// that its other comments list: `# error LINE:COLUMN CODE MESSAGE`.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { main } from '../../src/cli/main.ts';
import { projectFile } from '../../src/cli/project.ts';
import { memoryTerminal } from '../support/memory-terminal.ts';

interface Fault {
  readonly line: number;
  readonly column: number;
  readonly code: string;
  readonly message: string;
}

interface Report {
  readonly resources: readonly {
    readonly errors?: readonly Fault[];
    readonly notes?: readonly Fault[];
  }[];
}

async function faultsOf(file: string): Promise<{ code: number; lines: readonly string[] }> {
  const terminal = memoryTerminal();
  const code = await main(['validate', file, '--output', 'json'], terminal);
  const { resources } = JSON.parse(terminal.stdout()) as Report;
  const shown = (kind: string) => (fault: Fault) =>
    `# ${kind} ${fault.line}:${fault.column} ${fault.code} ${fault.message}`;
  const lines = resources.flatMap(({ errors = [], notes = [] }) => [
    ...errors.map(shown('error')),
    ...notes.map(shown('note')),
  ]);
  return { code, lines: lines.map((line) => line.replaceAll(projectFile(), '.')) };
}

const files = readdirSync(projectFile('test', 'data', 'broken')).sort();

describe('validate of broken objects', () => {
  it('has at least sixty of them', () => assert.ok(files.length >= 60));

  for (const name of files) {
    const file = projectFile('test', 'data', 'broken', name);
    const [why = '', ...lines] = readFileSync(file, 'utf8').split('\n');
    it(`${name}: ${why.replace('# ', '')}`, async () => {
      const expected = lines.filter((line) => /^# (?:error|note) /u.test(line));
      const { code, lines: found } = await faultsOf(file);
      assert.deepEqual(found, expected);
      assert.equal(code, 1);
    });
  }
});
