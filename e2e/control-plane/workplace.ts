// The temporary folder of a run: made at the start, removed at the end, and removed by the next run when this one was killed.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endListed, startOf } from './processes.ts';

const PREFIX = 'celld-stack-e2e-';

export interface Workplace {
  readonly folder: string;
  /** Writes a file into the folder and gives its path. */
  readonly write: (name: string, text: string) => string;
  readonly remove: () => void;
}

/** A fresh folder that this process owns. */
export function openWorkplace(): Workplace {
  const folder = mkdtempSync(join(tmpdir(), PREFIX));
  writeFileSync(join(folder, 'owner'), `${process.pid} ${startOf(process.pid)}\n`);
  mkdirSync(join(folder, 'logs'));
  return {
    folder,
    write: (name, text) => {
      const path = join(folder, name);
      mkdirSync(join(path, '..'), { recursive: true });
      writeFileSync(path, text, { mode: 0o600 });
      return path;
    },
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }),
  };
}

/** Ends and removes what runs that were killed left behind. Gives the folders that it removed. */
export async function clearAbandoned(): Promise<readonly string[]> {
  const folders = readdirSync(tmpdir())
    .filter((name) => name.startsWith(PREFIX))
    .map((name) => join(tmpdir(), name))
    .filter(isAbandoned);
  for (const folder of folders) {
    const list = join(folder, 'processes');
    if (existsSync(list)) await endListed(readFileSync(list, 'utf8'));
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
  return folders;
}

function isAbandoned(folder: string): boolean {
  try {
    const [pid, start] = readFileSync(join(folder, 'owner'), 'utf8').trim().split(' ');
    return startOf(Number(pid)) !== start;
  } catch {
    return false; // being made at this moment, or not ours to read
  }
}
