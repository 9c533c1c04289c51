// The entry of the process: the only place that touches argv and the exit code.
import { main } from './main.ts';
import { processTerminal } from './terminal.ts';

process.exitCode = await main(process.argv.slice(2), processTerminal);
