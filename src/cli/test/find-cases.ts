// Which folders are cases: those that hold a case.yaml, wherever they are beneath the given folders.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf, refuse } from '../../core/problem.ts';

/** The file that makes a folder a case. */
export const CASE_FILE = 'case.yaml';

/** The folders of all cases beneath some folders, sorted. Throws a ProblemError when there is none. */
export function findCases(
  folders: readonly string[],
  filters: readonly string[],
): readonly string[] {
  const all = [...new Set(folders.flatMap(casesIn))];
  if (all.length === 0)
    return refuse('CASE_INVALID', `found no ${CASE_FILE} in ${folders.join(', ')}`, {
      hint: 'see docs/testing.md for what a case is',
    });
  const wanted = all.filter(
    (folder) => filters.length === 0 || filters.some((text) => folder.includes(text)),
  );
  if (wanted.length > 0) return wanted;
  return refuse('CASE_INVALID', `no case has ${filters.join(' or ')} in its path`);
}

function casesIn(folder: string): readonly string[] {
  try {
    if (!statSync(folder).isDirectory())
      return refuse('FILE_UNREADABLE', `cannot read ${folder}: expected a folder`);
    const below = readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && entry.name !== 'node_modules')
      .map((entry) => join(folder, entry.name))
      .sort();
    return [
      ...(existsSync(join(folder, CASE_FILE)) ? [folder] : []),
      ...below.flatMap((child) => casesIn(child)),
    ];
  } catch (error) {
    if ((error as { code?: string }).code === undefined) throw error;
    const reason =
      (error as { code: string }).code === 'ENOENT' ? 'no such file or folder' : messageOf(error);
    return refuse('FILE_UNREADABLE', `cannot read ${folder}: ${reason}`);
  }
}
