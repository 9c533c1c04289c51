import { readFileSync } from 'node:fs';
import type { Command } from '../command.ts';
import { projectFile } from '../project.ts';

/** `celld-stack version`: the version of this program. */
export const version: Command = {
  name: 'version',
  usage: '',
  summary: 'Print the version',
  options: [],
  run: (_args, terminal) => {
    const manifest = JSON.parse(readFileSync(projectFile('package.json'), 'utf8')) as {
      version: string;
    };
    terminal.out(`${manifest.version}\n`);
    return 0;
  },
};
