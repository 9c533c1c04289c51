// The API of the control plane: any kind, plain JSON in and out, the API server's own refusals as errors.
import { Agent, type RequestOptions, request } from 'node:https';
import { KubeConfig, Watch } from '@kubernetes/client-node';
import { isObject, type JsonObject, listAt, numberAt, stringAt } from '../../src/core/json.ts';

/** What names one object; no namespace for a cluster-scoped kind. */
export interface Reference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string | undefined;
}

/** The API server said no. `status` is the Status object it answered with. */
export class ApiError extends Error {
  readonly code: number;
  readonly status: JsonObject;

  constructor(what: string, code: number, status: JsonObject) {
    super(`${what}: ${code} ${stringAt(status, 'message') ?? ''}`);
    this.name = 'ApiError';
    this.code = code;
    this.status = status;
  }
}

type Propagation = 'Background' | 'Foreground' | 'Orphan';

export interface Cluster {
  readonly get: (reference: Reference) => Promise<JsonObject>;
  readonly find: (reference: Reference) => Promise<JsonObject | undefined>;
  readonly list: (
    apiVersion: string,
    kind: string,
    namespace?: string,
  ) => Promise<readonly JsonObject[]>;
  readonly create: (object: JsonObject, query?: Query) => Promise<JsonObject>;
  readonly replace: (object: JsonObject, query?: Query) => Promise<JsonObject>;
  /** Server-side apply, fields of others taken over. */
  readonly apply: (object: JsonObject, query?: Query) => Promise<JsonObject>;
  /** A JSON merge patch, by default of the object, else of its subresource. */
  readonly merge: (
    reference: Reference,
    patch: JsonObject,
    subresource?: string,
  ) => Promise<JsonObject>;
  readonly remove: (reference: Reference, propagation?: Propagation) => Promise<void>;
  /** Every change of a kind in a namespace from now on, until `stop`. Begins anew when the API server went away. */
  readonly watch: (
    apiVersion: string,
    kind: string,
    namespace: string,
    seen: Seen,
  ) => Promise<() => void>;
  readonly raw: (
    method: string,
    path: string,
    body?: string,
    contentType?: string,
  ) => Promise<string>;
}

export type Query = { readonly [parameter: string]: string };
type Seen = (type: string, object: JsonObject) => void;

/** The reference of an object. */
export function referenceOf(object: JsonObject): Reference {
  return {
    apiVersion: stringAt(object, 'apiVersion') ?? '',
    kind: stringAt(object, 'kind') ?? '',
    name: stringAt(object, 'metadata', 'name') ?? '',
    namespace: stringAt(object, 'metadata', 'namespace'),
  };
}

/** A client for the cluster of a kubeconfig. */
export function connect(kubeconfig: string): Cluster {
  const config = new KubeConfig();
  config.loadFromString(kubeconfig);
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  const paths = new Map<string, Promise<{ plural: string; namespaced: boolean }>>();

  const raw: Cluster['raw'] = async (method, path, body, contentType = 'application/json') => {
    const options: RequestOptions = { method, headers: {} };
    await config.applyToHTTPSOptions(options);
    const url = new URL(path, config.getCurrentCluster()?.server);
    const headers = {
      ...options.headers,
      accept: 'application/json',
      'content-type': contentType,
      // Node does not announce the body of a DELETE by itself.
      'content-length': Buffer.byteLength(body ?? ''),
    };
    return send(url, { ...options, headers, agent: agentOf(agent, options) }, body);
  };
  const json = async (...args: Parameters<typeof raw>) =>
    JSON.parse(await raw(...args)) as JsonObject;

  const pathOf = async (apiVersion: string, kind: string, namespace?: string, name?: string) => {
    const base = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
    const key = `${apiVersion}/${kind}`;
    const known = paths.get(key) ?? discover(json, base, kind);
    paths.set(key, known);
    const { plural, namespaced } = await known.catch((error: unknown) => {
      paths.delete(key); // the kind may come to be
      throw error;
    });
    const scope = namespaced && namespace !== undefined ? `/namespaces/${namespace}` : '';
    return `${base}${scope}/${plural}${name === undefined ? '' : `/${name}`}`;
  };
  const path = (at: Reference) => pathOf(at.apiVersion, at.kind, at.namespace, at.name);
  const text = (query: Query = {}) => {
    const found = new URLSearchParams(query).toString();
    return found === '' ? '' : `?${found}`;
  };

  const get: Cluster['get'] = async (at) => json('GET', await path(at));
  return {
    raw,
    get,
    find: async (at) => {
      try {
        return await get(at);
      } catch (error) {
        if (error instanceof ApiError && error.code === 404) return undefined;
        throw error;
      }
    },
    list: async (apiVersion, kind, namespace) =>
      listAt(await json('GET', await pathOf(apiVersion, kind, namespace)), 'items')
        .filter(isObject)
        .map((item) => ({ ...item, apiVersion, kind })),
    create: async (object, query) => {
      const { apiVersion, kind, namespace } = referenceOf(object);
      const at = await pathOf(apiVersion, kind, namespace);
      return json('POST', `${at}${text(query)}`, JSON.stringify(object));
    },
    replace: async (object, query) =>
      json('PUT', `${await path(referenceOf(object))}${text(query)}`, JSON.stringify(object)),
    apply: async (object, query = {}) => {
      const options = text({ fieldManager: 'e2e', force: 'true', ...query });
      const at = await path(referenceOf(object));
      return json(
        'PATCH',
        `${at}${options}`,
        JSON.stringify(object),
        'application/apply-patch+yaml',
      );
    },
    merge: async (at, patch, subresource) => {
      const suffix = subresource === undefined ? '' : `/${subresource}`;
      return json(
        'PATCH',
        `${await path(at)}${suffix}`,
        JSON.stringify(patch),
        'application/merge-patch+json',
      );
    },
    remove: async (at, propagationPolicy = 'Background') => {
      await json('DELETE', await path(at), JSON.stringify({ propagationPolicy }));
    },
    watch: async (apiVersion, kind, namespace, seen) =>
      watchForGood(new Watch(config), await pathOf(apiVersion, kind, namespace), json, seen),
  };
}

async function discover(
  json: (method: string, path: string) => Promise<JsonObject>,
  base: string,
  kind: string,
): Promise<{ plural: string; namespaced: boolean }> {
  const found = listAt(await json('GET', base), 'resources')
    .filter(isObject)
    .find((one) => one['kind'] === kind && !String(one['name']).includes('/'));
  if (found === undefined) {
    throw new ApiError(`${base} ${kind}`, 404, { message: 'the server has no such kind' });
  }
  return { plural: String(found['name']), namespaced: found['namespaced'] === true };
}

/** One agent for all requests, so that connections are kept; it takes the certificates of the first. */
function agentOf(agent: Agent, options: RequestOptions): Agent {
  const { ca } = options;
  if (ca !== undefined) agent.options.ca ??= ca;
  return agent;
}

function send(url: URL, options: RequestOptions, body: string | undefined): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = request(url, options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('error', reject);
      response.once('end', () => {
        const text = Buffer.concat(chunks).toString();
        const code = response.statusCode ?? 0;
        if (code < 400) resolve(text);
        else reject(new ApiError(`${options.method} ${url.pathname}`, code, statusOf(text)));
      });
    });
    sent.setTimeout(60_000, () => sent.destroy(new Error(`no answer from ${url.pathname}`)));
    sent.once('error', reject);
    sent.end(body);
  });
}

function statusOf(text: string): JsonObject {
  try {
    const found: unknown = JSON.parse(text);
    return isObject(found) ? found : { message: text };
  } catch {
    return { message: text };
  }
}

async function watchForGood(
  watch: Watch,
  path: string,
  json: (method: string, path: string) => Promise<JsonObject>,
  seen: Seen,
): Promise<() => void> {
  let stopped = false;
  let current: AbortController | undefined;
  const begin = async (): Promise<void> => {
    if (stopped) return;
    const list = await json('GET', `${path}?limit=1`);
    const resourceVersion = stringAt(list, 'metadata', 'resourceVersion') ?? '0';
    current = await watch.watch(path, { resourceVersion }, forward(seen), again);
  };
  const again = () => {
    if (!stopped) setTimeout(() => begin().catch(again), 200).unref();
  };
  await begin();
  return () => {
    stopped = true;
    current?.abort();
  };
}

function forward(seen: Seen): (type: string, object: unknown) => void {
  return (type, object) => {
    // An expired watch sends a Status as its last event.
    if (isObject(object) && type !== 'ERROR') seen(type, object);
  };
}

/** True for an answer that means the object changed meanwhile or is gone: the caller looks again. */
export function isRace(error: unknown): boolean {
  return (
    error instanceof ApiError && [404, 409].includes(numberAt(error.status, 'code') ?? error.code)
  );
}
