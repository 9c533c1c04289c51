// The files of a build on disk: each appears whole or not at all, and what an earlier build left goes.
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { messageOf, refuse } from '../core/problem.ts';
import { digestOf, hexOf } from './oci/blob.ts';

export const CHECKSUMS = 'SHA256SUMS';

/** Files of a build by their path in its folder. */
export type OutputFiles = ReadonlyMap<string, Uint8Array>;

/** The text of SHA256SUMS, as `sha256sum -c` reads it. */
export function checksums(files: OutputFiles): string {
  return [...files]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, bytes]) => `${hexOf(digestOf(bytes))}  ${path}\n`)
    .join('');
}

/**
 * Writes the files and their checksums, and the report, which is not among them because it tells how long
 * it took. Throws FILE_UNWRITABLE; then the folder holds what it held before.
 */
export function writeOutput(folder: string, files: OutputFiles, report: OutputFiles): void {
  const sums = new Map([[CHECKSUMS, Buffer.from(checksums(files))]]);
  const all = [...files, ...report, ...sums];
  const parts: { readonly part: string; readonly path: string }[] = [];
  try {
    for (const [path, bytes] of all) {
      const target = join(folder, path);
      const part = join(dirname(target), `.${randomUUID()}.part`);
      mkdirSync(dirname(target), { recursive: true });
      parts.push({ part, path: target });
      writeFileSync(part, bytes);
    }
  } catch (error) {
    for (const { part } of parts) rmSync(part, { force: true });
    refuse('FILE_UNWRITABLE', `cannot write to ${folder}: ${reasonOf(error)}`);
  }
  const old = earlierFiles(folder);
  for (const { part, path } of parts) renameSync(part, path);
  for (const path of old.filter((one) => !files.has(one)))
    rmSync(join(folder, path), { force: true });
}

function earlierFiles(folder: string): string[] {
  const file = join(folder, CHECKSUMS);
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.map((line) => line.slice(66)).filter((path) => path !== '' && !path.includes('..'));
}

function reasonOf(error: unknown): string {
  const { code } = error as { code?: string };
  if (code === 'ENOSPC') return 'no space is left on the disk';
  if (code === 'EDQUOT') return 'the disk quota is used up';
  if (code === 'EACCES' || code === 'EROFS') return 'permission denied';
  return messageOf(error);
}
