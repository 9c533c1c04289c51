// What to do about a code: the remedies of docs/errors.md, so that the page and the command say the same.
import { existsSync } from 'node:fs';
import { readText } from '../../manifests/load.ts';
import { projectFile } from '../project.ts';

/** Reads the remedies; none where the page was not shipped. */
export function readHints(): (code: string) => string | undefined {
  const file = projectFile('docs', 'errors.md');
  const remedies = existsSync(file) ? remediesOf(readText(file)) : new Map<string, string>();
  return (code) => remedies.get(code);
}

/** The last column of each row of the page, by its code. */
export function remediesOf(page: string): ReadonlyMap<string, string> {
  const rows = page.matchAll(/^\| `(?<code>[A-Z_]+)` *\| .* \| (?<remedy>[^|]+) \|$/gmu);
  return new Map(
    [...rows].map(({ groups }) => [groups?.['code'] ?? '', (groups?.['remedy'] ?? '').trim()]),
  );
}
