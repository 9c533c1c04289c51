// Failures below HTTP, in words: the same whichever SDK wraps them.
import { messageOf } from '../core/problem.ts';
import { StoreError } from './object-store.ts';

const DOWN: { readonly [code: string]: string } = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection broken off',
  ECONNABORTED: 'connection broken off',
  EPIPE: 'connection broken off',
  ENOTFOUND: 'host name not found',
  EAI_AGAIN: 'host name not found for the moment',
  EHOSTUNREACH: 'no route to the host',
  ENETUNREACH: 'no route to the network',
  EADDRNOTAVAIL: 'no route to the host',
  ETIMEDOUT: 'no answer in time',
  ESOCKETTIMEDOUT: 'no answer in time',
  TimeoutError: 'no answer in time',
  AbortError: 'no answer in time',
  UND_ERR_CONNECT_TIMEOUT: 'no answer in time',
  ERR_SOCKET_CONNECTION_TIMEOUT: 'no answer in time',
  ERR_STREAM_PREMATURE_CLOSE: 'connection broken off',
};

const UNTRUSTED =
  /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_|CERT_|ERR_TLS_CERT_)/u;
const NOT_SPOKEN = /^(?:HPE_|EPROTO$|ERR_SSL_)/u;

/** The StoreError of a failure below HTTP, or undefined when the error is none. `target` is who was asked. */
export function networkProblem(error: unknown, target: string): StoreError | undefined {
  for (const code of codesOf(error)) {
    const down = DOWN[code];
    if (down !== undefined)
      return new StoreError('STORE_UNREACHABLE', 'down', `${target}: ${down}`);
    if (UNTRUSTED.test(code)) {
      return new StoreError(
        'STORE_ENDPOINT',
        'final',
        `${target}: its certificate is not trusted (${code})`,
        'mount the certificate of the authority and set SSL_CERT_FILE to its path',
      );
    }
    if (NOT_SPOKEN.test(code)) {
      return new StoreError(
        'STORE_ENDPOINT',
        'final',
        `${target}: it does not speak the protocol of this URL (${code})`,
        'check http or https and the port of the endpoint',
      );
    }
  }
  return undefined;
}

/** Codes and names of an error, its causes and, where several addresses were tried, their errors. */
function codesOf(error: unknown, depth = 0): readonly string[] {
  if (typeof error !== 'object' || error === null || depth > 4) return [];
  const { code, name, cause, errors } = error as Record<string, unknown>;
  const inner = [cause, ...(Array.isArray(errors) ? errors : [])];
  // A socket that is closed before an answer has no code in node-fetch, only this sentence.
  const hangUp = /socket hang up|premature close|network socket disconnected/iu;
  return [
    ...[code, name].filter((text) => typeof text === 'string'),
    ...(hangUp.test(messageOf(error)) ? ['ECONNRESET'] : []),
    ...inner.flatMap((one) => codesOf(one, depth + 1)),
  ];
}

/** The StoreError of an HTTP status that says the store is up and not well: 408, 429, 5xx. */
export function busyProblem(status: number | undefined, target: string): StoreError | undefined {
  if (status === undefined || !(status === 408 || status === 429 || status >= 500))
    return undefined;
  return new StoreError('STORE_UNREACHABLE', 'down', `${target}: answers HTTP ${status}`);
}

/** The StoreError of an answer that nobody has words for: time may heal what is no refusal. */
export function unexpectedProblem(status: number | undefined, what: string): StoreError {
  const refused = status !== undefined && status >= 400 && status < 500;
  return new StoreError('STORE_UNREACHABLE', refused ? 'denied' : 'down', what);
}
