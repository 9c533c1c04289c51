// The only writer to standard output and standard error, so that a test can hold both.
import { writeSync } from 'node:fs';
import { styleText } from 'node:util';
import { formatProblem, type Problem } from '../core/problem.ts';

export interface Terminal {
  /** The product: documents, reports. Nothing else goes to standard output. */
  readonly out: (text: string) => void;
  /** Everything a person reads beside it. */
  readonly err: (text: string) => void;
}

/** The terminal of this process. Writes at once, so that nothing is lost when the process ends. */
export const processTerminal: Terminal = {
  out: (text) => writeAll(1, text),
  err: (text) => writeAll(2, text),
};

function writeAll(fd: number, text: string): void {
  let rest = Buffer.from(text);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(fd, rest));
    } catch (error) {
      const code = (error as { code?: string }).code;
      if (code === 'EPIPE') return; // the reader has seen enough, as in `render | head`
      if (code !== 'EAGAIN') throw error; // a pipe that is full for the moment
    }
  }
}

const MOST_PROBLEMS = 20;

/** Problems as lines; at most twenty, then how many more there are. */
export function printProblems(terminal: Terminal, problems: readonly Problem[]): void {
  const red = (word: string) => styleText('red', word, { stream: process.stderr });
  for (const problem of problems.slice(0, MOST_PROBLEMS)) {
    terminal.err(`${formatProblem(problem).replace('error ', `${red('error')} `)}\n`);
  }
  const more = problems.length - MOST_PROBLEMS;
  if (more > 0) terminal.err(`and ${more} more\n`);
}
