// Programs of the machine that a build asks for something.
import { spawn } from 'node:child_process';
import { oneLine, refuse } from '../../core/problem.ts';

export interface ToolAnswer {
  readonly code: number;
  readonly out: Buffer;
  readonly err: string;
}

/** Runs a program to its end and gives its output; undefined when the machine does not have it. */
export function askTool(
  program: string,
  args: readonly string[],
  options: { readonly folder?: string; readonly input?: string } = {},
): Promise<ToolAnswer | undefined> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      stdio: 'pipe',
      ...(options.folder === undefined ? {} : { cwd: options.folder }),
    });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout.on('data', (part: Buffer) => out.push(part));
    child.stderr.on('data', (part: Buffer) => err.push(part));
    child.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') resolve(undefined);
      else reject(error);
    });
    child.on('close', (code) => {
      resolve({ code: code ?? 1, out: Buffer.concat(out), err: Buffer.concat(err).toString() });
    });
    // A program may end without reading what it is given.
    child.stdin.on('error', () => undefined);
    child.stdin.end(options.input ?? '');
  });
}

/** Runs a program that must be there and succeed. Throws a BUILD_TOOL problem otherwise. */
export async function runTool(
  program: string,
  args: readonly string[],
  purpose: string,
  folder?: string,
): Promise<Buffer> {
  const answer = await askTool(program, args, folder === undefined ? {} : { folder });
  if (answer === undefined) {
    return refuse('BUILD_TOOL', `cannot ${purpose}: ${program} is not installed`);
  }
  if (answer.code !== 0) {
    const reason = oneLine(answer.err).slice(-300);
    return refuse(
      'BUILD_TOOL',
      `cannot ${purpose}: ${program} ended with ${answer.code}: ${reason}`,
    );
  }
  return answer.out;
}
