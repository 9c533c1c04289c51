// Requests to one registry: which scheme it speaks, its challenge answered, passing faults tried again.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Json, listAt, stringAt } from '../../core/json.ts';
import { messageOf, oneLine, ProblemError, refuse } from '../../core/problem.ts';
import {
  type Authorization,
  authorize,
  type Challenge,
  isPrivateHost,
  parseChallenge,
} from './auth.ts';
import { type Credentials, findCredentials } from './docker-config.ts';

export interface RegistryRequest {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'PUT';
  /** A path under /v2/, or the address a registry gave. */
  readonly path: string;
  readonly scopes: readonly string[];
  readonly headers?: { readonly [name: string]: string };
  readonly body?: Uint8Array;
  /** Statuses that are an answer, not a failure. */
  readonly accept: readonly number[];
  /** How often to try; an upload's part is tried once, since what arrived must be asked for first. */
  readonly tries?: number;
}

export interface RegistryClient {
  readonly registry: string;
  readonly send: (request: RegistryRequest) => Promise<Response>;
}

export interface ClientOptions {
  readonly credentials?: (registry: string) => Promise<Credentials | undefined>;
  /** Milliseconds before the first retry; each further one waits twice as long. */
  readonly patience?: number;
}

const TRIES = 5;
const PASSING = new Set([408, 425, 429, 500, 502, 503, 504]);

/** A client for a registry. Throws REGISTRY_UNREACHABLE when nothing answers there as a registry does. */
export async function connect(
  registry: string,
  options: ClientOptions = {},
): Promise<RegistryClient> {
  const credentials = await (options.credentials ?? findCredentials)(registry);
  const patience = options.patience ?? 500;
  const { origin, challenge } = await greet(registry, patience);
  const authorizations = new Map<string, Authorization & { readonly until: number }>();

  const authorization = async (scopes: readonly string[], fresh: boolean) => {
    if (challenge === undefined) return undefined;
    const key = scopes.join(' ');
    const known = authorizations.get(key);
    if (known !== undefined && !fresh && known.until > performance.now()) return known.header;
    const found = await authorize({ registry, challenge, credentials, scopes });
    if (found === undefined) return undefined;
    authorizations.set(key, { ...found, until: performance.now() + found.seconds * 1000 });
    return found.header;
  };

  const once = async (request: RegistryRequest, fresh: boolean): Promise<Response> => {
    const url = new URL(request.path, `${origin}/v2/`);
    // An upload may be sent on to a storage service, which gets no credentials of the registry.
    const header = url.origin === origin ? await authorization(request.scopes, fresh) : undefined;
    return fetch(url, {
      method: request.method,
      headers: { ...request.headers, ...(header === undefined ? {} : { authorization: header }) },
      ...(request.body === undefined ? {} : { body: request.body }),
    });
  };

  const send = async (request: RegistryRequest): Promise<Response> => {
    const response = await withRetries(registry, request.tries ?? TRIES, patience, async () => {
      const first = await once(request, false);
      if (first.status !== 401) return first;
      await first.body?.cancel();
      return once(request, true);
    });
    if (request.accept.includes(response.status)) return response;
    return refuseAnswer(registry, request, response, credentials);
  };
  return { registry, send };
}

/** Asks a registry for its greeting: over TLS, and for this machine and private networks also without. */
async function greet(
  registry: string,
  patience: number,
): Promise<{ readonly origin: string; readonly challenge: Challenge | undefined }> {
  const schemes = isPrivateHost(registry) ? ['https', 'http'] : ['https'];
  const failures: string[] = [];
  for (const scheme of schemes) {
    const origin = `${scheme}://${registry}`;
    try {
      // A private host is tried over TLS first, where not to be answered is the usual thing.
      const tries = scheme === schemes.at(-1) ? TRIES : 1;
      const response = await withRetries(registry, tries, patience, () => fetch(`${origin}/v2/`));
      await response.body?.cancel();
      if (response.status === 200) return { origin, challenge: undefined };
      const challenge = parseChallenge(response.headers.get('www-authenticate'));
      if (response.status === 401 && challenge !== undefined) return { origin, challenge };
      failures.push(`${origin}/v2/ answered ${response.status}`);
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      failures.push(...error.problems.map((problem) => problem.message));
    }
  }
  return refuse('REGISTRY_UNREACHABLE', `no registry answers at ${registry}: ${failures.at(-1)}`);
}

async function withRetries(
  registry: string,
  tries: number,
  patience: number,
  attempt: () => Promise<Response>,
): Promise<Response> {
  for (let tried = 1; ; tried++) {
    const outcome = await attempt().catch((error: unknown) => error as Error);
    if (outcome instanceof ProblemError) throw outcome;
    if (tried >= tries) {
      if (outcome instanceof Response) return outcome;
      return refuse('REGISTRY_UNREACHABLE', `${registry} does not answer: ${reasonOf(outcome)}`);
    }
    if (outcome instanceof Response && !PASSING.has(outcome.status)) return outcome;
    await sleep(waitFor(outcome, patience * 2 ** (tried - 1)));
    if (outcome instanceof Response) await outcome.body?.cancel();
  }
}

/** As long as the registry asks for, up to half a minute, else as long as was thought. */
function waitFor(outcome: Response | Error, thought: number): number {
  const asked = outcome instanceof Response ? Number(outcome.headers.get('retry-after')) : 0;
  return asked > 0 ? Math.min(asked * 1000, 30_000) : thought;
}

/** The innermost reason, where fetch says only that it failed. */
function reasonOf(error: Error): string {
  const cause = error.cause as { code?: string; errors?: Error[] } | undefined;
  return oneLine(cause?.code ?? messageOf(cause?.errors?.[0] ?? cause ?? error));
}

async function refuseAnswer(
  registry: string,
  request: RegistryRequest,
  response: Response,
  credentials: Credentials | undefined,
): Promise<never> {
  const text = await response.text().catch(() => '');
  const said = errorText(text);
  const what = `${request.method} ${new URL(response.url).pathname}`;
  if (response.status === 401 || response.status === 403) {
    const who = credentials === undefined ? 'without credentials' : 'with the credentials found';
    return refuse(
      'REGISTRY_AUTH',
      `${registry} refuses ${what} ${who}: ${response.status}${said}`,
      {
        hint: `Log in to ${registry} with docker login, podman login or helm registry login, as a user who may do this.`,
      },
    );
  }
  return refuse('REGISTRY_REFUSED', `${registry} answered ${what} with ${response.status}${said}`);
}

/** The first error of a registry's answer, `: CODE: message`. */
function errorText(text: string): string {
  try {
    const [first] = listAt(JSON.parse(text) as Json, 'errors');
    const parts = [stringAt(first, 'code'), stringAt(first, 'message')];
    const said = parts.filter((part) => part !== undefined).join(': ');
    return said === '' ? '' : `: ${oneLine(said).slice(0, 300)}`;
  } catch {
    return '';
  }
}
