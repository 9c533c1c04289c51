// The command line as a person starts it: bin/celld-stack in a process of its own.
import { spawn } from 'node:child_process';
import { projectFile } from '../../src/cli/project.ts';

export interface CliResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliOptions {
  /** The folder it is started in; this project's by default. */
  readonly cwd?: string;
  /** What it reads from standard input. */
  readonly input?: string;
  readonly env?: { readonly [name: string]: string };
}

/** Runs bin/celld-stack to its end. */
export function runCli(args: readonly string[], options: CliOptions = {}): Promise<CliResult> {
  const { CI: _, ...env } = process.env;
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [projectFile('bin', 'celld-stack'), ...args], {
      cwd: options.cwd ?? projectFile(),
      env: { ...env, NO_COLOR: '1', ...options.env },
    });
    const [stdout, stderr]: [Buffer[], Buffer[]] = [[], []];
    child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
    child.on('error', reject);
    child.on('close', (code) =>
      resolve({
        code,
        stdout: Buffer.concat(stdout).toString(),
        stderr: Buffer.concat(stderr).toString(),
      }),
    );
    child.stdin.end(options.input ?? '');
  });
}
