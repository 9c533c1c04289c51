// argv in, exit code out.
//
// Exit codes: 0 fine, 1 problems found, 2 wrong usage, 70 a defect of this program.
import { ProblemError, refuse } from '../core/problem.ts';
import { type Command, commandHelp, parseArguments, table } from './command.ts';
import { printProblems, type Terminal } from './terminal.ts';

/** Runs a command line over some commands and gives its exit code. Never throws. */
export async function runCommandLine(
  commands: readonly Command[],
  argv: readonly string[],
  terminal: Terminal,
): Promise<number> {
  try {
    return await dispatch(commands, argv, terminal);
  } catch (error) {
    if (error instanceof ProblemError) {
      printProblems(terminal, error.problems);
      return error.problems.some((problem) => problem.code === 'USAGE') ? 2 : 1;
    }
    terminal.err(
      `error: this is a defect of celld-stack, please report it\n${String((error as Error).stack ?? error)}\n`,
    );
    return 70;
  }
}

async function dispatch(
  commands: readonly Command[],
  argv: readonly string[],
  terminal: Terminal,
): Promise<number> {
  const [name, ...rest] = argv;
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    terminal.out(overview(commands));
    return 0;
  }
  const wanted = name === '--version' ? 'version' : name;
  const command = commands.find((one) => one.name === wanted || one.aliases?.includes(wanted));
  if (command === undefined) {
    return refuse('USAGE', `unknown command ${JSON.stringify(name)}`, {
      hint: 'see celld-stack --help',
    });
  }
  const args = parseArguments(command, rest);
  if (args.flag('help')) {
    terminal.out(commandHelp(command));
    return 0;
  }
  return command.run(args, terminal);
}

function overview(commands: readonly Command[]): string {
  const rows = commands.map((command): [string, string] => [command.name, command.summary]);
  return `Usage: celld-stack COMMAND\n\nOne CelldStack resource in, a running celld fleet out.\n\nCommands:\n${table(rows)}\nEach command has a --help.\n`;
}
