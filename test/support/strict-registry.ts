// A registry in this process that is stricter than any real one: it forgives no wrong length, digest, range
// or missing blob, asks for a token with the right scope, and can be told to fail. The real registry of
// `make test-registry` says whether it is a registry at all; this one says what happens when things go wrong.
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { digestOf } from '../../src/package/oci/blob.ts';

export interface StrictRegistry {
  readonly host: string;
  /** Every request that was answered: method, path without query, status. */
  readonly requests: { readonly method: string; readonly path: string; readonly status: number }[];
  /** Answers the next requests whose method and path match with a status instead. */
  readonly failNext: (times: number, method: string, path: RegExp, status: number) => void;
  /** Takes this many bytes of the next PATCH, then hangs up. */
  readonly cutNextUpload: (bytes: number) => void;
  readonly close: () => Promise<void>;
}

export interface StrictOptions {
  /** With these, every request needs a token that only they get. */
  readonly user?: string;
  readonly password?: string;
}

interface Stored {
  readonly type: string;
  readonly bytes: Buffer;
}

interface Answer {
  readonly status: number;
  readonly headers?: { readonly [name: string]: string };
  readonly body?: Buffer;
}

const error = (status: number, code: string): Answer => ({
  status,
  body: Buffer.from(JSON.stringify({ errors: [{ code, message: code.toLowerCase() }] })),
});

/** Starts a registry on a free port of this machine. */
export async function strictRegistry(options: StrictOptions = {}): Promise<StrictRegistry> {
  const blobs = new Map<string, Buffer>();
  const manifests = new Map<string, Stored>();
  const uploads = new Map<string, { repository: string; bytes: Buffer }>();
  const requests: StrictRegistry['requests'] = [];
  const faults: { times: number; method: string; path: RegExp; status: number }[] = [];
  let cutAfter: number | undefined;
  let host = '';

  function token(request: IncomingMessage, query: URLSearchParams): Answer {
    const wanted = `Basic ${Buffer.from(`${options.user}:${options.password}`).toString('base64')}`;
    if (request.headers.authorization !== wanted) return error(401, 'UNAUTHORIZED');
    const text = Buffer.from(query.getAll('scope').join(' ')).toString('base64');
    return { status: 200, body: Buffer.from(JSON.stringify({ token: text, expires_in: 300 })) };
  }

  /** The token is its scopes: readable here, opaque to the client. */
  function allows(request: IncomingMessage, repository: string, action: string): boolean {
    const text = Buffer.from(request.headers.authorization?.slice(7) ?? '', 'base64').toString();
    return text
      .split(' ')
      .some((one) =>
        new RegExp(`^repository:${repository}:(?:.*,)?${action}(?:,|$)`, 'u').test(one),
      );
  }

  function answer(request: IncomingMessage, url: URL, body: Buffer): Answer {
    const { method = '' } = request;
    if (url.pathname === '/token') return token(request, url.searchParams);
    const match = /^\/v2\/(?:(.+)\/(blobs|manifests)\/(?:(uploads)\/)?(.*))?$/u.exec(url.pathname);
    if (match === null) return error(404, 'UNKNOWN');
    const [, repository, kind, uploading, name = ''] = match;
    const denied = denial(request, repository);
    if (denied !== undefined) return denied;
    if (repository === undefined) return { status: 200 };
    if (kind === 'manifests' && method === 'PUT')
      return putManifest(repository, name, request, body);
    if (kind === 'manifests') return storedManifest(method, repository, name);
    if (uploading === undefined) return blob(method, repository, name);
    return upload(method, repository, name, url, request, body);
  }

  function denial(request: IncomingMessage, repository: string | undefined): Answer | undefined {
    const action = ['GET', 'HEAD'].includes(request.method ?? '') ? 'pull' : 'push';
    if (options.user === undefined) return undefined;
    if (request.headers.authorization === undefined) {
      const challenge = `Bearer realm="http://${host}/token",service="strict"`;
      return { ...error(401, 'UNAUTHORIZED'), headers: { 'www-authenticate': challenge } };
    }
    if (repository !== undefined && allows(request, repository, action)) return undefined;
    return error(403, 'DENIED');
  }

  function blob(method: string, repository: string, digest: string): Answer {
    const bytes = blobs.get(`${repository} ${digest}`);
    if (bytes === undefined) return error(404, 'BLOB_UNKNOWN');
    const headers = { 'docker-content-digest': digest, 'content-length': `${bytes.length}` };
    return method === 'HEAD' ? { status: 200, headers } : { status: 200, headers, body: bytes };
  }

  function begin(repository: string, query: URLSearchParams): Answer {
    const [mount, from] = [query.get('mount'), query.get('from')];
    const mounted = blobs.get(`${from} ${mount}`);
    if (mount !== null && mounted !== undefined) {
      blobs.set(`${repository} ${mount}`, mounted);
      return { status: 201, headers: { location: `/v2/${repository}/blobs/${mount}` } };
    }
    const id = randomUUID();
    uploads.set(id, { repository, bytes: Buffer.alloc(0) });
    return { status: 202, headers: { location: `/v2/${repository}/blobs/uploads/${id}?state=a` } };
  }

  function upload(
    method: string,
    repository: string,
    name: string,
    url: URL,
    request: IncomingMessage,
    body: Buffer,
  ): Answer {
    if (method === 'POST') return begin(repository, url.searchParams);
    const found = uploads.get(name);
    if (found?.repository !== repository) return error(404, 'BLOB_UPLOAD_UNKNOWN');
    const range = { range: `0-${Math.max(found.bytes.length - 1, 0)}` };
    const location = `/v2/${repository}/blobs/uploads/${name}?state=b`;
    if (method === 'GET') return { status: 204, headers: { ...range, location } };
    if (method === 'PATCH') {
      const wanted = `${found.bytes.length}-${found.bytes.length + body.length - 1}`;
      if (request.headers['content-range'] !== wanted) return error(416, 'RANGE_INVALID');
      found.bytes = Buffer.concat([found.bytes, body]);
      return { status: 202, headers: { location } };
    }
    const digest = url.searchParams.get('digest') ?? '';
    if (body.length > 0 || digestOf(found.bytes) !== digest) return error(400, 'DIGEST_INVALID');
    uploads.delete(name);
    blobs.set(`${repository} ${digest}`, found.bytes);
    return { status: 201, headers: { location: `/v2/${repository}/blobs/${digest}` } };
  }

  function storedManifest(method: string, repository: string, reference: string): Answer {
    const found = manifests.get(`${repository} ${reference}`);
    if (found === undefined) return error(404, 'MANIFEST_UNKNOWN');
    const headers = {
      'content-type': found.type,
      'docker-content-digest': digestOf(found.bytes),
    };
    return method === 'HEAD'
      ? { status: 200, headers }
      : { status: 200, headers, body: found.bytes };
  }

  function putManifest(
    repository: string,
    reference: string,
    request: IncomingMessage,
    body: Buffer,
  ): Answer {
    const type = request.headers['content-type'] ?? '';
    const document = JSON.parse(body.toString()) as {
      mediaType: string;
      config?: { digest: string };
      layers?: { digest: string }[];
      manifests?: { digest: string }[];
    };
    if (document.mediaType !== type) return error(400, 'MANIFEST_INVALID');
    const parts = [document.config, ...(document.layers ?? [])].flatMap((one) => one ?? []);
    if (parts.some((one) => !blobs.has(`${repository} ${one.digest}`)))
      return error(404, 'MANIFEST_BLOB_UNKNOWN');
    const children = document.manifests ?? [];
    if (children.some((one) => !manifests.has(`${repository} ${one.digest}`)))
      return error(404, 'MANIFEST_UNKNOWN');
    const digest = digestOf(body);
    for (const name of [digest, reference])
      manifests.set(`${repository} ${name}`, { type, bytes: body });
    return { status: 201, headers: { 'docker-content-digest': digest } };
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', `http://${host}`);
    const { method = '' } = request;
    const body = await read(request, url);
    if (body === undefined) return;
    const fault = faults.find(
      (one) => one.times > 0 && one.method === method && one.path.test(url.pathname),
    );
    if (fault !== undefined) fault.times -= 1;
    const given =
      fault === undefined ? answer(request, url, body) : error(fault.status, 'TOLD_TO_FAIL');
    requests.push({ method, path: url.pathname, status: given.status });
    response.writeHead(given.status, { ...given.headers });
    response.end(given.body);
  }

  /** The body; undefined when the connection was cut, with what came kept, as a real registry does. */
  async function read(request: IncomingMessage, url: URL): Promise<Buffer | undefined> {
    const parts: Buffer[] = [];
    let length = 0;
    for await (const part of request as AsyncIterable<Buffer>) {
      parts.push(part);
      length += part.length;
      if (request.method !== 'PATCH' || cutAfter === undefined || length < cutAfter) continue;
      const upload = uploads.get(url.pathname.split('/').at(-1) ?? '');
      if (upload !== undefined) {
        upload.bytes = Buffer.concat([upload.bytes, Buffer.concat(parts).subarray(0, cutAfter)]);
      }
      cutAfter = undefined;
      request.destroy();
      return undefined;
    }
    return Buffer.concat(parts);
  }

  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    host,
    requests,
    failNext: (times, method, path, status) => {
      faults.push({ times, method, path, status });
    },
    cutNextUpload: (bytes) => {
      cutAfter = bytes;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
