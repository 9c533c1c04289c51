import { randomUUID } from 'node:crypto';
import { bootstrap, type Outcome } from '../../bootstrap/bootstrap.ts';
import { readPlaceholderWish, readSettings } from '../../bootstrap/settings.ts';
import { refuse } from '../../core/problem.ts';
import type { Arguments, Command } from '../command.ts';
import { runWithOwnAuthorities } from '../own-authorities.ts';

const OUTCOMES: { readonly [outcome in Outcome]: string } = {
  deployed: 'the fleet has a deployment, nothing was written',
  empty: 'the fleet has no deployment yet',
  placeholder: 'the placeholder is deployed until an application is',
};

/** `celld-stack bootstrap`: makes sure of the object store before a node starts. */
export const bootstrapCommand: Command = {
  name: 'bootstrap',
  usage: '',
  summary: 'Wait for the object store of a fleet and prepare it, never replacing a deployment',
  about: `Reads the environment of the node: CELLD_BUCKET, S3_ENDPOINT, AWS_…, GOOGLE_…, AZURE_…, and
CELLD_STACK_PLACEHOLDER=1 to write a placeholder where nothing is deployed. Writes no file.`,
  options: [
    {
      name: 'timeout',
      value: 'SECONDS',
      default: '300',
      help: 'how long to wait for a store that does not answer',
    },
    {
      name: 'denial-timeout',
      value: 'SECONDS',
      default: '30',
      help: 'how long to wait while the store refuses, since new permissions take time to arrive',
    },
  ],
  run: async (args, terminal) => {
    const settings = readSettings(process.env);
    const code = await runWithOwnAuthorities();
    if (code !== undefined) return code;
    // What the SDKs use of Node that is old is no news for who reads the log of a pod.
    process.noDeprecation = true;
    const stop = new AbortController();
    const onSignal = () => stop.abort();
    // As the first process of a container it would not end on a signal it does not handle.
    process.once('SIGTERM', onSignal).once('SIGINT', onSignal);
    const outcome = await bootstrap(settings, {
      placeholder: readPlaceholderWish(process.env),
      probeId: randomUUID(),
      timeoutMs: milliseconds(args, 'timeout'),
      denialTimeoutMs: milliseconds(args, 'denial-timeout'),
      firstPauseMs: 500,
      longestPauseMs: 10_000,
      signal: stop.signal,
      log: (line) => terminal.err(`${line}\n`),
    });
    terminal.out(`${OUTCOMES[outcome]}\n`);
    return 0;
  },
};

function milliseconds(args: Arguments, name: string): number {
  const text = args.option(name) ?? '';
  if (!/^\d{1,6}(?:\.\d{1,3})?$/u.test(text)) {
    refuse('USAGE', `--${name} is ${JSON.stringify(text)}: expected seconds, such as 300`);
  }
  return Number(text) * 1000;
}
