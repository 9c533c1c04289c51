// What a runtime image is built upon, whatever it came from.
import type { ContainerConfig, Layer } from '../oci/image.ts';
import { folderEntry, type TarEntry } from '../oci/tar.ts';

/** A part of an image that somebody else made, for the bill of materials. */
export interface Component {
  readonly name: string;
  readonly version: string;
  /** A package URL. */
  readonly purl: string;
  readonly license?: string;
  readonly sha256?: string;
}

export interface Base {
  readonly layers: readonly Layer[];
  /** Where Node.js stands in it. */
  readonly node: string;
  readonly container: ContainerConfig;
  readonly components: readonly Component[];
  /** What a reader of the build report should know of it. */
  readonly notes: readonly string[];
}

/** Entries with the folders they stand in, each folder before what it holds, sorted by path. */
export function withFolders(entries: readonly TarEntry[]): TarEntry[] {
  const byPath = new Map(entries.map((entry) => [entry.path, entry]));
  for (const { path } of entries) {
    const parts = path.split('/').slice(0, -1);
    for (let length = 1; length <= parts.length; length++) {
      const folder = parts.slice(0, length).join('/');
      if (!byPath.has(folder)) byPath.set(folder, folderEntry(folder));
    }
  }
  return [...byPath.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}
