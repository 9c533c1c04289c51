// A real Azurite as a child process on a free port, in memory, with the flags the chart gives it.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { projectFile } from '../../src/cli/project.ts';

export interface Azurite {
  readonly url: string;
  readonly port: number;
  readonly stop: () => Promise<void>;
}

const PROGRAM = projectFile('node_modules', 'azurite', 'dist', 'src', 'blob', 'main.js');

export const AZURITE_FLAGS = [
  '--disableTelemetry',
  '--skipApiVersionCheck',
  '--disableProductStyleUrl',
] as const;

/** Starts Azurite and waits until it listens. Throws what it printed when it ends before. */
export async function startAzurite(
  flags: readonly string[] = AZURITE_FLAGS,
  port = 0,
): Promise<Azurite> {
  const child = spawn(
    process.execPath,
    [PROGRAM, '--inMemoryPersistence', '--blobPort', String(port), ...flags],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const listening = await listeningPort(child);
  return {
    url: `http://127.0.0.1:${listening}`,
    port: listening,
    stop: async () => {
      if (child.exitCode !== null) return;
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    },
  };
}

function listeningPort(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    let printed = '';
    const onData = (chunk: Buffer) => {
      printed += chunk;
      const found = /successfully listens on http:\/\/[^:]+:(\d+)/u.exec(printed);
      if (found !== null) resolve(Number(found[1]));
    };
    child.stdout?.on('data', onData);
    child.stderr?.on('data', onData);
    child.once('exit', (code) => reject(new Error(`Azurite ended with ${code}: ${printed}`)));
  });
}
