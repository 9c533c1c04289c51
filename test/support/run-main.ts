// The command line without a process of its own: as quick as a function call, for tables of many rows.
import { main } from '../../src/cli/main.ts';
import { memoryTerminal } from './memory-terminal.ts';
import type { CliResult } from './run-cli.ts';

/**
 * Runs a command line in a folder, and gives what bin/celld-stack would have written and ended with.
 * The tests of a file run one after the other, so that the folder of the process can be changed.
 */
export async function runMain(
  args: readonly string[],
  options: { readonly cwd: string; readonly ci?: string },
): Promise<CliResult> {
  const before = { cwd: process.cwd(), ci: process.env['CI'] };
  process.chdir(options.cwd);
  process.env['NO_COLOR'] = '1';
  setCi(options.ci);
  try {
    const terminal = memoryTerminal();
    const code = await main(args, terminal);
    return { code, stdout: terminal.stdout(), stderr: terminal.stderr() };
  } finally {
    process.chdir(before.cwd);
    setCi(before.ci);
  }
}

function setCi(value: string | undefined): void {
  if (value === undefined) delete process.env['CI'];
  else process.env['CI'] = value;
}
