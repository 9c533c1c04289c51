// Files for a command to read, in a folder that is gone after the test.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';

/** A folder with these files, by path; it is removed when the test ends. */
export function temporaryFolder(
  test: TestContext,
  files: { readonly [path: string]: string },
): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'celld-stack-')));
  test.after(() => rmSync(folder, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}
