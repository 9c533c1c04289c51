// A command is a table row: its options, its help and its parser all come from here and cannot drift.
import { parseArgs } from 'node:util';
import { refuse } from '../core/problem.ts';
import type { Terminal } from './terminal.ts';

export interface Option {
  readonly name: string;
  readonly short?: string;
  /** Shown in help for the value, `PATH`; absent for a switch. */
  readonly value?: string;
  readonly help: string;
  /** May be given more than once. */
  readonly multiple?: boolean;
  readonly default?: string;
  /** Values that are allowed. */
  readonly oneOf?: readonly string[];
  /** Old names that still work and are not shown. */
  readonly hidden?: boolean;
}

/** What was typed after the command's name. */
export interface Arguments {
  readonly positionals: readonly string[];
  /** The value of an option, its default, or undefined. */
  readonly option: (name: string) => string | undefined;
  readonly options: (name: string) => readonly string[];
  readonly flag: (name: string) => boolean;
}

export interface Command {
  readonly name: string;
  /** What follows the name: `[XR…]`. */
  readonly usage: string;
  readonly summary: string;
  /** Further paragraphs of its help. */
  readonly about?: string;
  readonly options: readonly Option[];
  /** The most positional arguments; none when absent. */
  readonly maxPositionals?: number;
  /** Other names of this command. */
  readonly aliases?: readonly string[];
  /** Gives the exit code: 0 fine, 1 problems found. */
  readonly run: (args: Arguments, terminal: Terminal) => number | Promise<number>;
}

const HELP: Option = { name: 'help', short: 'h', help: 'show this help' };

/** Reads the arguments of a command. Throws a USAGE problem for what it does not know. */
export function parseArguments(command: Command, argv: readonly string[]): Arguments {
  const options = [...command.options, HELP];
  const { values, positionals } = readArgv(command, options, argv);
  if (positionals.length > (command.maxPositionals ?? 0)) {
    const unexpected = positionals[command.maxPositionals ?? 0];
    refuse('USAGE', `unexpected argument ${JSON.stringify(unexpected)}`, {
      hint: helpHint(command),
    });
  }
  for (const option of options) checkChoice(command, option, values[option.name]);
  return {
    positionals,
    option: (name) => {
      const found = values[name] ?? options.find((option) => option.name === name)?.default;
      return typeof found === 'string' ? found : undefined;
    },
    options: (name) => [values[name] ?? []].flat().filter((value) => typeof value === 'string'),
    flag: (name) => values[name] === true,
  };
}

type Values = Record<string, string | boolean | (string | boolean)[] | undefined>;

function readArgv(
  command: Command,
  options: readonly Option[],
  argv: readonly string[],
): { values: Values; positionals: string[] } {
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      strict: true,
      options: Object.fromEntries(
        options.map((option) => [
          option.name,
          {
            type: option.value === undefined ? ('boolean' as const) : ('string' as const),
            multiple: option.multiple ?? false,
            ...(option.short === undefined ? {} : { short: option.short }),
          },
        ]),
      ),
    });
  } catch (error) {
    const message = String((error as Error).message).split(/[.\n]/u)[0] ?? '';
    return refuse('USAGE', `${message.charAt(0).toLowerCase()}${message.slice(1)}`, {
      hint: helpHint(command),
    });
  }
}

function checkChoice(command: Command, option: Option, value: Values[string]): void {
  for (const given of [value ?? []].flat()) {
    if (option.oneOf === undefined || option.oneOf.includes(String(given))) continue;
    refuse(
      'USAGE',
      `--${option.name} is ${JSON.stringify(given)}: expected ${option.oneOf.map((one) => JSON.stringify(one)).join(' or ')}`,
      { hint: helpHint(command) },
    );
  }
}

function helpHint(command: Command): string {
  return `see celld-stack ${command.name} --help`;
}

/** The help of one command. */
export function commandHelp(command: Command): string {
  const rows = [...command.options, HELP]
    .filter((option) => !option.hidden)
    .map((option): [string, string] => [
      `${option.short === undefined ? '    ' : `-${option.short}, `}--${option.name}${option.value === undefined ? '' : ` ${option.value}`}`,
      option.default === undefined ? option.help : `${option.help} (default ${option.default})`,
    ]);
  const about = command.about === undefined ? '' : `\n${command.about}\n`;
  return `Usage: celld-stack ${[command.name, command.usage].join(' ').trim()}\n\n${command.summary}\n${about}\nOptions:\n${table(rows)}`;
}

/** Two columns, the first as wide as its widest cell. */
export function table(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}\n`).join('');
}
