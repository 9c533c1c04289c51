import type { Command } from '../command.ts';
import { release } from '../release.ts';

/** `celld-stack version`: the version of this program and the commit it was built from. */
export const version: Command = {
  name: 'version',
  usage: '',
  summary: 'Print the version and the commit',
  options: [],
  run: (_args, terminal) => {
    const { version, commit } = release();
    terminal.out(commit === '' ? `${version}\n` : `${version} (commit ${commit})\n`);
    return 0;
  },
};
