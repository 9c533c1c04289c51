// A small S3 server of our own: path-style, checks signatures, keeps its promises about conditional
// writes, and can be told to break them, to refuse, to be elsewhere or to lose its answers.
import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { signatureOf } from './aws-signature.ts';
import type { Identity } from './certificates.ts';

export interface S3Request {
  readonly method: string;
  readonly key: string;
  readonly ifNoneMatch: string | undefined;
  readonly ifMatch: string | undefined;
}

/** What a test makes of a request: an error to answer with, do it and `lose` the answer, or nothing special. */
export type Whim = 'lose' | S3Answer | undefined;

export interface S3Answer {
  readonly status: number;
  readonly code?: string;
  readonly message?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface S3ServerOptions {
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** What temporary keys come with. */
  readonly sessionToken?: string;
  /** Promises this server breaks. */
  readonly lies?: readonly Lie[];
  readonly whim?: (request: S3Request, count: number) => Whim;
  readonly port?: number;
  /** Speaks TLS with this certificate. */
  readonly identity?: Identity;
}

export type Lie =
  /** If-None-Match is not looked at. */
  | 'create over what exists'
  /** If-Match is not looked at. */
  | 'replace whatever is there'
  /** If-None-Match is looked at before the body arrives, and not again. */
  | 'let racers create'
  /** Every answer has another ETag for the same object. */
  | 'change tags'
  /** A read shows what was there before the last write. */
  | 'read the past';

export interface S3Server {
  readonly url: string;
  /** Keys and bodies, as they are now. */
  readonly objects: ReadonlyMap<string, string>;
  readonly put: (key: string, body: string) => void;
  /** Writes and deletes that changed something, in order. */
  readonly changes: readonly string[];
  readonly stop: () => Promise<void>;
}

/** Starts the server on loopback. */
export async function startS3Server(options: S3ServerOptions): Promise<S3Server> {
  const store = newStore(options.lies ?? []);
  let count = 0;
  const onRequest = (request: IncomingMessage, response: ServerResponse) => {
    handle(request, response).catch((error: unknown) => {
      response.destroy(error as Error);
    });
  };
  const { identity } = options;
  const server =
    identity === undefined
      ? createServer(onRequest)
      : createTlsServer({ cert: identity.certificate, key: identity.privateKey }, onRequest);
  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://store');
    const [, bucket = '', ...rest] = decodeURIComponent(url.pathname).split('/');
    const asked: S3Request = {
      method: request.method ?? '',
      key: rest.join('/'),
      ifNoneMatch: request.headers['if-none-match'],
      ifMatch: request.headers['if-match'],
    };
    count++;
    const whim = options.whim?.(asked, count);
    const early = store.holds(asked);
    if (options.lies?.includes('let racers create')) await sleep(50);
    const body = (await buffer(request)).toString('utf8');
    const denied = whim === 'lose' ? undefined : (whim ?? checkSignature(request, url, options));
    const answer =
      denied ??
      (bucket === options.bucket
        ? store.answer(asked, body, early)
        : { status: 404, code: 'NoSuchBucket' });
    if (whim === 'lose') request.socket.destroy();
    else send(response, answer);
  }
  server.listen(options.port ?? 0, '127.0.0.1');
  await new Promise<void>((resolve, reject) => {
    server.once('listening', resolve).once('error', reject);
  });
  return {
    url: `${identity === undefined ? 'http' : 'https'}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    objects: store.objects,
    put: store.put,
    changes: store.changes,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const EMPTY_LIST =
  '<ListBucketResult><MaxKeys>1</MaxKeys><IsTruncated>false</IsTruncated></ListBucketResult>';

function newStore(lies: readonly Lie[]) {
  const objects = new Map<string, string>();
  const past = new Map<string, string>();
  const changes: string[] = [];
  const tag = (key: string) => {
    const hash = createHash('md5').update(objects.get(key) ?? '');
    if (lies.includes('change tags')) hash.update(randomUUID());
    return `"${hash.digest('hex')}"`;
  };
  const holds = ({ key, ifNoneMatch, ifMatch }: S3Request): boolean => {
    if (ifNoneMatch === '*' && !lies.includes('create over what exists') && objects.has(key)) {
      return false;
    }
    const ignored = lies.includes('replace whatever is there');
    return ifMatch === undefined || ignored || (objects.has(key) && ifMatch === tag(key));
  };
  const put = (key: string, body: string): void => {
    const before = objects.get(key);
    if (before !== undefined) past.set(key, before);
    objects.set(key, body);
    changes.push(`PUT ${key}`);
  };
  const read = (key: string): S3Answer => {
    const found = (lies.includes('read the past') ? past.get(key) : undefined) ?? objects.get(key);
    return found === undefined
      ? { status: 404, code: 'NoSuchKey' }
      : { status: 200, body: found, headers: { ETag: tag(key) } };
  };
  const remove = (key: string): S3Answer => {
    if (objects.delete(key)) changes.push(`DELETE ${key}`);
    return { status: 204 };
  };
  const write = (request: S3Request, body: string, early: boolean): S3Answer => {
    const fine = lies.includes('let racers create') ? early : holds(request);
    if (!fine) return { status: 412, code: 'PreconditionFailed' };
    put(request.key, body);
    return { status: 200, headers: { ETag: tag(request.key) } };
  };
  const answer = (request: S3Request, body: string, early: boolean): S3Answer => {
    if (request.key === '') return { status: 200, body: EMPTY_LIST };
    if (request.method === 'GET') return read(request.key);
    return request.method === 'DELETE' ? remove(request.key) : write(request, body, early);
  };
  return { objects, changes, put, holds, answer };
}

function checkSignature(
  request: IncomingMessage,
  url: URL,
  { accessKeyId, secretAccessKey, sessionToken }: S3ServerOptions,
): S3Answer | undefined {
  const header = request.headers.authorization ?? '';
  if (!header.includes(`Credential=${accessKeyId}/`)) {
    return { status: 403, code: 'InvalidAccessKeyId' };
  }
  if (request.headers['x-amz-security-token'] !== sessionToken) {
    return { status: 403, code: 'InvalidToken' };
  }
  return header.endsWith(`Signature=${signatureOf(request, url, secretAccessKey)}`)
    ? undefined
    : { status: 403, code: 'SignatureDoesNotMatch' };
}

function send(response: ServerResponse, answer: S3Answer): void {
  const { status, code, message, headers = {} } = answer;
  const error = `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>${message ?? code}</Message></Error>`;
  const body = answer.body ?? (code === undefined ? '' : error);
  response.writeHead(status, {
    'content-type': 'application/xml',
    'content-length': Buffer.byteLength(body),
    ...headers,
  });
  response.end(body);
}
