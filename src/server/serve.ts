// The life of the function process: listen, answer until a signal comes, drain, end.
import { ServerCredentials } from '@grpc/grpc-js';
import { readCertificates, watchedCredentials } from './certificates.ts';
import { grpcServer } from './grpc-server.ts';
import type { Handler } from './handler.ts';
import type { ListenAddress } from './listen-address.ts';
import type { Log } from './log.ts';

export interface ServeOptions {
  readonly address: ListenAddress;
  /** The folder of tls.crt, tls.key and ca.crt; `insecure` serves plaintext to anybody. */
  readonly certificates: { readonly folder: string } | 'insecure';
  readonly maxReceiveBytes: number;
  readonly handler: Handler;
  readonly log: Log;
  /** Resolves with the name of a signal when the process shall end. */
  readonly stopped: Promise<string>;
  /** How long a drain may take. */
  readonly drainMs?: number;
  /** How often mounted certificates are read again. */
  readonly refreshMs?: number;
}

/** Kubernetes kills 30 s after SIGTERM; a call takes milliseconds, so what runs longer is stuck. */
const DRAIN_MS = 20_000;

/** The kubelet needs about a minute to bring a renewed Secret into a pod. */
const REFRESH_MS = 60_000;

/**
 * Serves until `stopped`, and gives the exit code: 0, or 1 when calls had to be cut. Throws a
 * CERTIFICATES_UNUSABLE or ADDRESS_UNUSABLE problem when it cannot start.
 */
export async function serve(options: ServeOptions): Promise<number> {
  const { address, certificates, log } = options;
  const { credentials, stop } = await credentialsOf(options);
  const server = await grpcServer({ ...options, credentials }).catch((error: unknown) => {
    stop();
    throw error;
  });
  const insecure = certificates === 'insecure';
  log(insecure ? 'warn' : 'info', insecure ? 'listening without TLS' : 'listening', {
    network: address.network,
    address: server.address,
  });
  const signal = await options.stopped;
  stop();
  log('info', 'draining', { signal });
  const answered = await server.drain(options.drainMs ?? DRAIN_MS);
  if (answered) log('info', 'stopped');
  else log('warn', 'stopped, and cut calls that were still running');
  return answered ? 0 : 1;
}

async function credentialsOf({
  certificates,
  refreshMs,
  log,
}: ServeOptions): Promise<{ credentials: ServerCredentials; stop: () => void }> {
  if (certificates === 'insecure') {
    return { credentials: ServerCredentials.createInsecure(), stop: () => undefined };
  }
  const { folder } = certificates;
  const first = await readCertificates(folder);
  return watchedCredentials(folder, first, { refreshMs: refreshMs ?? REFRESH_MS, log });
}
