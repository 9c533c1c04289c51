// Real object stores as child processes; `make test-stores` builds them and names their programs.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { freePorts } from './free-ports.ts';

export interface RealStore {
  readonly url: string;
  /** Starts it, or starts it again over the same data. */
  readonly start: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

export const GATEWAY_KEYS = {
  AWS_ACCESS_KEY_ID: 'AKTEST',
  AWS_SECRET_ACCESS_KEY: 'very-secret',
} as const;

/** Versity's S3 gateway over a folder, with a bucket. */
export async function versityGateway(folder: string, bucket: string): Promise<RealStore> {
  mkdirSync(join(folder, bucket), { recursive: true });
  const [port = 0] = await freePorts(1);
  return realStore(port, 'VERSITYGW', ['--port', `127.0.0.1:${port}`, '--quiet', 'posix', folder], {
    ROOT_ACCESS_KEY: GATEWAY_KEYS.AWS_ACCESS_KEY_ID,
    ROOT_SECRET_KEY: GATEWAY_KEYS.AWS_SECRET_ACCESS_KEY,
  });
}

/** The emulator of Google Cloud Storage, in memory, with no bucket. */
export async function gcsEmulator(): Promise<RealStore> {
  const [port = 0] = await freePorts(1);
  const address = ['-scheme', 'http', '-host', '127.0.0.1', '-port', String(port)];
  const own = ['-backend', 'memory', '-public-host', `127.0.0.1:${port}`];
  return realStore(port, 'FAKE_GCS_SERVER', [...address, ...own], {});
}

function realStore(
  port: number,
  variable: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): RealStore {
  const program = process.env[variable];
  if (program === undefined) throw new Error(`${variable} is not set: run make test-stores`);
  const url = `http://127.0.0.1:${port}`;
  let child: ChildProcess | undefined;
  return {
    url,
    start: async () => {
      child = spawn(program, args, { stdio: 'ignore', env: { PATH: process.env['PATH'], ...env } });
      while (!(await answers(url))) await new Promise((resolve) => setTimeout(resolve, 50));
    },
    stop: async () => {
      if (child === undefined) return;
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      child = undefined;
      await gone;
    },
  };
}

async function answers(url: string): Promise<boolean> {
  try {
    await (await fetch(url, { headers: { connection: 'close' } })).arrayBuffer();
    return true;
  } catch {
    return false; // not listening yet
  }
}
