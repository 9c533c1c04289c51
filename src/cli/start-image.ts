// The entry of the process in the image, which has the commands that a cluster runs and no others.
import { runCommandLine } from './command-line.ts';
import { bootstrapCommand } from './commands/bootstrap.ts';
import { serve } from './commands/serve.ts';
import { version } from './commands/version.ts';
import { processTerminal } from './terminal.ts';

process.exitCode = await runCommandLine(
  [serve, bootstrapCommand, version],
  process.argv.slice(2),
  processTerminal,
);
