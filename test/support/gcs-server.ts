// A small server of the JSON API of Google Cloud Storage: generations, preconditions, and answers a test
// asks for.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface GcsRequest {
  readonly method: string;
  readonly key: string;
  readonly ifGenerationMatch: string | undefined;
}

export interface GcsServerOptions {
  readonly bucket: string;
  /** ifGenerationMatch is not looked at. */
  readonly lies?: boolean;
  /** Another answer than the right one: a status and what it says. */
  readonly whim?: (request: GcsRequest) => readonly [number, string] | undefined;
}

export interface GcsServer {
  readonly url: string;
  readonly objects: ReadonlyMap<string, StoredGcsObject>;
  readonly put: (key: string, body: string) => StoredGcsObject;
  readonly stop: () => Promise<void>;
}

export interface StoredGcsObject {
  readonly body: string;
  readonly generation: number;
}

/** Starts the server on loopback. */
export async function startGcsServer(options: GcsServerOptions): Promise<GcsServer> {
  const store = newStore(options);
  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      response.destroy(error as Error);
    });
  });
  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://store');
    const [, bucket, path = ''] =
      /\/storage\/v1\/b\/([^/]+)\/o(?:\/(.+))?$/u.exec(url.pathname) ?? [];
    const upload = parseUpload(url, await text(request));
    const asked: GcsRequest = {
      method: request.method ?? '',
      key: upload?.name ?? decodeURIComponent(path),
      ifGenerationMatch: url.searchParams.get('ifGenerationMatch') ?? undefined,
    };
    const whim = options.whim?.(asked);
    if (whim !== undefined) send(response, refusal(...whim));
    else if (bucket !== options.bucket) {
      send(response, refusal(404, 'The specified bucket does not exist.'));
    } else if (upload !== undefined) send(response, store.write(asked, upload.body));
    else send(response, store.answer(asked, url.searchParams.get('alt') === 'media'));
  }
  server.listen(0, '127.0.0.1');
  await new Promise<void>((resolve) => server.once('listening', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    objects: store.objects,
    put: store.put,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface Answer {
  readonly status: number;
  readonly body: string;
}

function newStore({ bucket, lies = false }: GcsServerOptions) {
  const objects = new Map<string, StoredGcsObject>();
  let generation = 1000;
  const put = (key: string, body: string): StoredGcsObject => {
    const object = { body, generation: ++generation };
    objects.set(key, object);
    return object;
  };
  const metadata = (name: string, object: StoredGcsObject): Answer =>
    json({ name, bucket, generation: `${object.generation}` });
  return {
    objects,
    put,
    write: ({ key, ifGenerationMatch }: GcsRequest, body: string): Answer => {
      const holds = `${objects.get(key)?.generation ?? 0}` === ifGenerationMatch;
      return holds || lies
        ? metadata(key, put(key, body))
        : refusal(412, 'At least one of the pre-conditions you specified did not hold.');
    },
    answer: ({ method, key }: GcsRequest, media: boolean): Answer => {
      if (key === '') return json({ kind: 'storage#objects' });
      const found = objects.get(key);
      if (found === undefined) return refusal(404, `No such object: ${bucket}/${key}`);
      if (method === 'DELETE') objects.delete(key);
      if (method === 'DELETE') return { status: 204, body: '' };
      return media ? { status: 200, body: found.body } : metadata(key, found);
    },
  };
}

/** The two parts of a multipart upload: metadata as JSON, then the object. */
function parseUpload(
  url: URL,
  body: string,
): { readonly name: string; readonly body: string } | undefined {
  if (url.searchParams.get('uploadType') !== 'multipart') return undefined;
  const parts = body
    .split(/\r?\n?--[^\r\n]+(?:\r\n|$)/u)
    .filter((part) => part !== '' && part !== '--')
    .map((part) => part.slice(part.indexOf('\r\n\r\n') + 4));
  const metadata = JSON.parse(parts[0] ?? '{}') as { name?: string };
  return { name: metadata.name ?? url.searchParams.get('name') ?? '', body: parts[1] ?? '' };
}

function json(value: object): Answer {
  return { status: 200, body: JSON.stringify(value) };
}

function refusal(code: number, message: string): Answer {
  const error = { code, message, errors: [{ message, domain: 'global', reason: 'test' }] };
  return { status: code, body: JSON.stringify({ error }) };
}

function send(response: ServerResponse, { status, body }: Answer): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(body);
}
