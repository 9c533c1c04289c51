// A terminal that keeps what is written, for commands that a test runs in its own process.
import type { Terminal } from '../../src/cli/terminal.ts';

export interface MemoryTerminal extends Terminal {
  readonly stdout: () => string;
  readonly stderr: () => string;
}

/** A terminal without a screen. */
export function memoryTerminal(): MemoryTerminal {
  const [out, err]: [string[], string[]] = [[], []];
  return {
    out: (text) => out.push(text),
    err: (text) => err.push(text),
    stdout: () => out.join(''),
    stderr: () => err.join(''),
  };
}
