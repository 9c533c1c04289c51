// What a build made once and would make again byte for byte, kept between builds and checked on each use.
import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Names a folder for the cache: `$XDG_CACHE_HOME/celld-stack`, else `~/.cache/celld-stack`. */
export function cacheFolder(): string {
  const base = process.env['XDG_CACHE_HOME'];
  return join(base === undefined || base === '' ? join(homedir(), '.cache') : base, 'celld-stack');
}

export interface Cache {
  /** The bytes under a key, made and stored when they are not there or not what was stored. */
  readonly bytes: (key: string, make: () => Promise<Uint8Array>) => Promise<Uint8Array>;
}

/**
 * A cache in a folder. An entry carries the digest of its bytes, so that a damaged one is made anew; a
 * folder that cannot be written to costs time and nothing else.
 */
export function cacheIn(folder: string): Cache {
  return {
    bytes: async (key, make) => {
      const file = join(folder, sha256(key));
      const found = read(file);
      if (found !== undefined) return found;
      const made = await make();
      write(folder, file, made);
      return made;
    },
  };
}

function read(file: string): Uint8Array | undefined {
  try {
    const stored = readFileSync(file);
    const bytes = stored.subarray(64);
    return stored.toString('latin1', 0, 64) === sha256(bytes) ? bytes : undefined;
  } catch {
    return undefined;
  }
}

function write(folder: string, file: string, bytes: Uint8Array): void {
  const part = `${file}.${randomUUID()}.part`;
  try {
    mkdirSync(folder, { recursive: true });
  } catch {
    return; // no folder, no cache
  }
  try {
    writeFileSync(part, Buffer.concat([Buffer.from(sha256(bytes), 'latin1'), bytes]));
    renameSync(part, file);
  } catch {
    rmSync(part, { force: true }); // a full disk costs the next build its time
  }
}

function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}
