// `celld-stack serve`: the function as a process, with the flags that Crossplane's function
// specification and the Go SDK give it. What needs gRPC is loaded only when it runs.
import { refuse } from '../../core/problem.ts';
import { listenAddress, NETWORKS, type Network } from '../../server/listen-address.ts';
import type { Arguments, Command } from '../command.ts';
import type { Terminal } from '../terminal.ts';

const CERTIFICATES = '/tls/server';
const MOST_MEGABYTES = 1024;

/** `celld-stack serve`: answers Crossplane over gRPC until it is told to stop. */
export const serve: Command = {
  name: 'serve',
  usage: '',
  summary: 'Serve the composition function over gRPC',
  about: `Callers must show a certificate that ca.crt signed. The folder of certificates is
--tls-certs-dir, else $TLS_SERVER_CERTS_DIR, else ${CERTIFICATES}; it is read again every minute, so
that renewed certificates need no restart. SIGTERM and SIGINT let calls that run come to their
end, a second one does not wait. Events go to standard error, a line of JSON each.`,
  options: [
    {
      name: 'network',
      value: 'NETWORK',
      help: 'tcp, tcp4, tcp6 or unix',
      default: 'tcp',
      oneOf: NETWORKS,
    },
    {
      name: 'address',
      value: 'ADDRESS',
      help: 'HOST:PORT to listen on; the path of the socket with unix',
      default: ':9443',
    },
    { name: 'tls-certs-dir', value: 'FOLDER', help: 'the folder of tls.crt, tls.key and ca.crt' },
    { name: 'insecure', help: 'serve plaintext to anybody, for a trial on this machine' },
    {
      name: 'max-recv-message-size',
      value: 'MEGABYTES',
      help: 'the largest request to accept',
      default: '4',
    },
    { name: 'debug', short: 'd', help: 'log every call' },
  ],
  run: serveUntilStopped,
};

async function serveUntilStopped(args: Arguments, terminal: Terminal): Promise<number> {
  const address = listenAddress(
    args.option('network') as Network, // one of NETWORKS: the parser has checked it
    args.option('address') ?? '',
  );
  const maxReceiveBytes = megabytes(args.option('max-recv-message-size') ?? '') * 1024 * 1024;
  const folder = args.option('tls-certs-dir') ?? process.env['TLS_SERVER_CERTS_DIR'];
  const stopped = signal();
  const [{ serve }, { functionOf }, { jsonLog }] = await Promise.all([
    import('../../server/serve.ts'),
    import('../../server/function-of.ts'),
    import('../../server/log.ts'),
  ]);
  const log = jsonLog(terminal.err, { debug: args.flag('debug'), now: () => new Date() });
  return serve({
    address,
    certificates: args.flag('insecure') ? 'insecure' : { folder: folder ?? CERTIFICATES },
    maxReceiveBytes,
    handler: functionOf((error) => {
      log('error', 'defect', { stack: error instanceof Error ? error.stack : String(error) });
    }),
    log,
    stopped,
  });
}

function megabytes(text: string): number {
  const size = Number(text);
  if (/^\d+$/u.test(text) && size >= 1 && size <= MOST_MEGABYTES) return size;
  return refuse(
    'USAGE',
    `--max-recv-message-size is ${JSON.stringify(text)}: expected megabytes, from 1 to ${MOST_MEGABYTES}`,
  );
}

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/** The first signal to end; a second one finds no listener and ends the process at once. */
function signal(): Promise<string> {
  return new Promise((resolve) => {
    const stop = (name: string) => {
      for (const one of SIGNALS) process.removeListener(one, stop);
      resolve(name);
    };
    for (const name of SIGNALS) process.on(name, stop);
  });
}
