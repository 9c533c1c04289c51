// Which release this program is. The build replaces this file by one with constants; in the source tree
// the version is package.json's and the commit is Git's.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { projectFile } from './project.ts';

export interface Release {
  readonly version: string;
  /** Empty when it is not known; ends in `-modified` when the tree differs from it. */
  readonly commit: string;
}

/** The version and the commit of this program. */
export function release(): Release {
  const manifest = JSON.parse(readFileSync(projectFile('package.json'), 'utf8')) as {
    version: string;
  };
  return { version: manifest.version, commit: commit() };
}

function commit(): string {
  try {
    const head = git('rev-parse', 'HEAD');
    return git('status', '--porcelain') === '' ? head : `${head}-modified`;
  } catch {
    return ''; // no Git, or no repository: an unpacked archive of the sources
  }
}

function git(...args: readonly string[]): string {
  return execFileSync('git', args, {
    cwd: projectFile(),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim();
}
