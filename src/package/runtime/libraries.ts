// The shared libraries a binary needs, out of what a Debian package or this machine has, and no others.
import { readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path/posix';
import { refuse } from '../../core/problem.ts';
import { fileEntry, type TarEntry } from '../oci/tar.ts';
import { readElfNeeds } from './elf.ts';

/** A library or loader by its name: the path it is found under at run time, and its bytes. */
export type Libraries = ReadonlyMap<string, { readonly path: string; readonly bytes: Uint8Array }>;

/** The libraries in the files of packages; links are followed. */
export function librariesOf(entries: readonly TarEntry[]): Libraries {
  const byPath = new Map(entries.map((entry) => [entry.path, entry]));
  const found = new Map<string, { path: string; bytes: Uint8Array }>();
  for (const entry of entries) {
    if (!/\.so(?:\.[0-9]+)*$/u.test(entry.path)) continue;
    const file = follow(entry, byPath);
    // A link to the loader stands beside the libraries' folder; the file itself is what is wanted.
    if (file === undefined || (found.has(basename(entry.path)) && entry.type !== 'file')) continue;
    found.set(basename(entry.path), { path: entry.path, bytes: file.content });
  }
  return found;
}

function follow(entry: TarEntry, byPath: ReadonlyMap<string, TarEntry>): TarEntry | undefined {
  if (entry.type === 'file') return entry;
  if (entry.type !== 'symlink' || entry.target === undefined) return undefined;
  const path = entry.target.startsWith('/')
    ? entry.target.slice(1)
    : normalize(join(dirname(entry.path), entry.target));
  const next = byPath.get(path);
  return next === undefined || next === entry ? undefined : follow(next, byPath);
}

/** The libraries that this very Node.js process has loaded. */
export function loadedLibraries(): Libraries {
  const report = process.report?.getReport() as unknown as { sharedObjects?: string[] };
  const paths = (report.sharedObjects ?? []).filter((path) => path.startsWith('/'));
  return new Map(
    paths.map((path) => [
      basename(path),
      { path: path.slice(1), bytes: readFileSync(realpathSync(path)) },
    ]),
  );
}

/**
 * What a binary needs to start: its loader at the path it names, its libraries and theirs. Throws a
 * BASE_UNUSABLE problem that names a library nobody has.
 */
export function neededFiles(binary: Uint8Array, libraries: Libraries): TarEntry[] {
  const needs = readElfNeeds(binary);
  if (needs === undefined) return refuse('BASE_UNUSABLE', 'node is no Linux binary');
  const files = new Map<string, TarEntry>();
  const seen = new Set<string>();
  const waiting = [...needs.libraries];
  const { interpreter } = needs;
  if (interpreter !== undefined) {
    const loader = libraryNamed(basename(interpreter), libraries);
    const path = interpreter.replace(/^\/+/u, '');
    files.set(path, fileEntry(path, loader.bytes, 0o755));
    seen.add(basename(interpreter));
  }
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
    if (seen.has(name)) continue;
    seen.add(name);
    const { path, bytes } = libraryNamed(name, libraries);
    files.set(path, fileEntry(path, bytes, 0o755));
    waiting.push(...(readElfNeeds(bytes)?.libraries ?? []));
  }
  return [...files.values()];
}

function libraryNamed(name: string, libraries: Libraries) {
  return (
    libraries.get(name) ??
    refuse('BASE_UNUSABLE', `node needs ${name}, which no package of the base holds`)
  );
}
