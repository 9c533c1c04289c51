// From a registry's challenge to the header that answers it.
import { type Json, numberAt, stringAt } from '../../core/json.ts';
import { refuse } from '../../core/problem.ts';
import type { Credentials } from './docker-config.ts';

/** What a registry says in WWW-Authenticate. */
export interface Challenge {
  readonly scheme: 'basic' | 'bearer';
  readonly parameters: { readonly [name: string]: string };
}

/** Reads the header; undefined for a scheme nobody uses with registries. */
export function parseChallenge(header: string | null): Challenge | undefined {
  const match = /^\s*(basic|bearer)\b/iu.exec(header ?? '');
  if (match === null) return undefined;
  const parameters = [...(header ?? '').matchAll(/(\w+)=(?:"([^"]*)"|([^\s,]+))/gu)].map(
    ([, name = '', quoted, bare]): [string, string] => [name.toLowerCase(), quoted ?? bare ?? ''],
  );
  return {
    scheme: match[1]?.toLowerCase() === 'basic' ? 'basic' : 'bearer',
    parameters: Object.fromEntries(parameters),
  };
}

export interface AuthorizationRequest {
  readonly registry: string;
  readonly challenge: Challenge;
  readonly credentials: Credentials | undefined;
  /** `repository:name:pull,push`, as many as are needed at once. */
  readonly scopes: readonly string[];
}

export interface Authorization {
  readonly header: string;
  readonly seconds: number;
}

/** The Authorization header for some scopes; undefined when there is nothing to show. Throws REGISTRY_AUTH. */
export async function authorize(request: AuthorizationRequest): Promise<Authorization | undefined> {
  const { challenge, credentials } = request;
  if (challenge.scheme === 'bearer') return fetchToken(request);
  if (credentials?.kind !== 'password') return undefined;
  return {
    header: basic(credentials.user, credentials.password),
    seconds: Number.POSITIVE_INFINITY,
  };
}

async function fetchToken(request: AuthorizationRequest): Promise<Authorization> {
  const { registry, challenge, credentials, scopes } = request;
  const realm = realmOf(challenge, registry);
  const service = challenge.parameters['service'];
  const response = await (credentials?.kind === 'identity'
    ? fetch(realm, {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'refresh_token',
          client_id: 'celld-stack',
          refresh_token: credentials.token,
          scope: scopes.join(' '),
          ...(service === undefined ? {} : { service }),
        }),
      })
    : fetch(withQuery(realm, service, scopes), {
        headers:
          credentials === undefined
            ? {}
            : { authorization: basic(credentials.user, credentials.password) },
      }));
  if (!response.ok) {
    const who = credentials === undefined ? 'nobody' : `the credentials for ${registry}`;
    return refuse(
      'REGISTRY_AUTH',
      `${realm.host} gives ${who} no token for ${scopes.join(' ')}: it answered ${response.status}`,
      { hint: `Log in to ${registry} with docker login, podman login or helm registry login.` },
    );
  }
  const answer = (await response.json().catch(() => null)) as Json;
  const token = stringAt(answer, 'token') ?? stringAt(answer, 'access_token');
  if (token === undefined) {
    return refuse('REGISTRY_AUTH', `${realm.host} answered a request for a token without one`);
  }
  // The protocol's default, less what a request may take.
  return { header: `Bearer ${token}`, seconds: (numberAt(answer, 'expires_in') ?? 60) - 10 };
}

/** Credentials go to the address a registry names only when nobody on the way can read them. */
function realmOf(challenge: Challenge, registry: string): URL {
  const text = challenge.parameters['realm'] ?? '';
  if (!URL.canParse(text)) {
    return refuse(
      'REGISTRY_AUTH',
      `${registry} names no address for tokens: ${JSON.stringify(text)}`,
    );
  }
  const realm = new URL(text);
  if (realm.protocol !== 'https:' && !isPrivateHost(realm.host)) {
    return refuse(
      'REGISTRY_AUTH',
      `${registry} wants credentials sent to ${realm.origin}, which is not encrypted`,
    );
  }
  return realm;
}

function withQuery(realm: URL, service: string | undefined, scopes: readonly string[]): URL {
  const url = new URL(realm);
  if (service !== undefined) url.searchParams.set('service', service);
  for (const scope of scopes) url.searchParams.append('scope', scope);
  return url;
}

function basic(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}

/**
 * Whether a host is this machine or in a private network, where plain HTTP is accepted: the hosts for
 * which Crossplane's own client does so.
 */
export function isPrivateHost(host: string): boolean {
  const name = host.replace(/:\d+$/u, '').replaceAll(/[[\]]/gu, '');
  if (name === 'localhost' || name === '::1' || name.endsWith('.local')) return true;
  const [a, b, ...rest] = name
    .split('.')
    .map((part) => (/^\d{1,3}$/u.test(part) ? Number(part) : -1));
  if (rest.length !== 2 || rest.includes(-1) || a === undefined || b === undefined) return false;
  return a === 127 || a === 10 || (a === 172 && b >= 16 && b <= 31) || (a === 192 && b === 168);
}
