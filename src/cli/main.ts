// The commands of the source tree, in the order in which help shows them.
import type { Command } from './command.ts';
import { runCommandLine } from './command-line.ts';
import { bootstrapCommand } from './commands/bootstrap.ts';
import { build } from './commands/build.ts';
import { installManifests } from './commands/install-manifests.ts';
import { push } from './commands/push.ts';
import { render } from './commands/render.ts';
import { serve } from './commands/serve.ts';
import { test } from './commands/test.ts';
import { validate } from './commands/validate.ts';
import { version } from './commands/version.ts';
import type { Terminal } from './terminal.ts';

const COMMANDS: readonly Command[] = [
  render,
  validate,
  test,
  build,
  push,
  installManifests,
  serve,
  bootstrapCommand,
  version,
];

/** Runs a command line and gives its exit code. Never throws. */
export function main(argv: readonly string[], terminal: Terminal): Promise<number> {
  return runCommandLine(COMMANDS, argv, terminal);
}
