// `make e2e` and `make control-plane`: arguments in, exit code out.
import { Complaint } from './control-plane/complaint.ts';
import { keepRunning } from './keep-running.ts';
import { runApiOracle } from './oracles/api.ts';
import { runRenderOracle } from './oracles/render.ts';
import { runPackages } from './packages.ts';
import { runScenarios } from './run-scenarios.ts';

const say = (line: string) => process.stderr.write(`${line}\n`);

/** Runs a command. Gives the exit code; complaints are one line and a hint. */
async function main([command, ...rest]: readonly string[]): Promise<number> {
  try {
    if (command === 'control-plane') return await keepRunning(say);
    if (command === 'oracle-api') return await runApiOracle(say);
    if (command === 'oracle-render') return await runRenderOracle(say);
    if (command === 'packages') return await runPackages(say);
    if (command === 'run') return await runScenarios(rest, say);
    say(
      'usage: node e2e/start.mjs run [SCENARIO…] | control-plane | packages | oracle-api | oracle-render',
    );
    return 2;
  } catch (error) {
    if (!(error instanceof Complaint)) throw error;
    say(`error: ${error.message}${error.hint === undefined ? '' : `\n  hint: ${error.hint}`}`);
    return 1;
  }
}

process.exitCode = await main(process.argv.slice(2));
