// A real gRPC client of the function, and a server in this process for it to talk to.

import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import http2 from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ChannelCredentials, Client, type ServiceError } from '@grpc/grpc-js';
import {
  FunctionRunnerServiceService,
  RunFunctionRequest,
  type RunFunctionResponse,
} from '../../src/crossplane/protocol.ts';
import type { Handler } from '../../src/server/handler.ts';
import { listenAddress } from '../../src/server/listen-address.ts';
import { type ServeOptions, serve } from '../../src/server/serve.ts';
import { type Authority, authority, type Identity } from './certificates.ts';

export const RUN_FUNCTION = FunctionRunnerServiceService.runFunction;

/** The smallest request a function can answer. */
export function smallRequest(values: object = {}): RunFunctionRequest {
  return {
    ...RunFunctionRequest.decode(new Uint8Array()),
    observed: {
      composite: {
        resource: { apiVersion: 'a/v1', kind: 'X', metadata: { name: 'x' }, spec: { values } },
        connectionDetails: {},
        ready: 0,
      },
      resources: {},
    },
  };
}

/** A temporary folder with the certificates of a server, removed by `remove`. */
export function certificateFolder(identity: Identity, ca: Identity) {
  const folder = mkdtempSync(join(tmpdir(), 'celld-stack-tls-'));
  const write = (one: Identity, by: Identity) => {
    writeFileSync(join(folder, 'tls.crt'), one.certificate);
    writeFileSync(join(folder, 'tls.key'), one.privateKey);
    writeFileSync(join(folder, 'ca.crt'), by.certificate);
  };
  write(identity, ca);
  return { folder, write, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Client credentials of an identity, trusting an authority. */
export function clientCredentials(ca: Identity, identity?: Identity): ChannelCredentials {
  return ChannelCredentials.createSsl(
    Buffer.from(ca.certificate),
    identity === undefined ? null : Buffer.from(identity.privateKey),
    identity === undefined ? null : Buffer.from(identity.certificate),
  );
}

/** One unary call; rejects with the gRPC error. */
export function call<Q, S>(
  client: Client,
  method: {
    readonly path: string;
    readonly requestSerialize: (value: Q) => Buffer;
    readonly responseDeserialize: (bytes: Buffer) => S;
  },
  request: Q,
): Promise<S> {
  return new Promise((resolve, reject) => {
    client.makeUnaryRequest<Q, S>(
      method.path,
      method.requestSerialize,
      method.responseDeserialize,
      request,
      { deadline: Date.now() + 10_000 },
      (error: ServiceError | null, response?: S) => {
        if (error !== null) reject(error);
        else resolve(response as S);
      },
    );
  });
}

/** The code and details a call was refused with. */
export async function refusal(
  answer: Promise<unknown>,
): Promise<{ code: number; details: string }> {
  return answer.then(
    () => {
      throw new Error('the call was answered');
    },
    ({ code, details }: ServiceError) => ({ code, details }),
  );
}

/** A call of which the server has half the request; `finish` sends the rest and gives the answer. */
export async function halfCall(
  address: string,
  ca: Authority,
): Promise<{ readonly finish: () => Promise<RunFunctionResponse> }> {
  const { certificate, privateKey } = ca.issue('crossplane');
  const session = http2.connect(`https://${address}`, {
    ca: ca.certificate,
    cert: certificate,
    key: privateKey,
    servername: 'localhost',
  });
  const stream = session.request({
    ':method': 'POST',
    ':path': RUN_FUNCTION.path,
    'content-type': 'application/grpc',
    te: 'trailers',
  });
  const chunks: Buffer[] = [];
  const ended = new Promise<void>((resolve, reject) => {
    session.on('error', reject);
    stream.on('error', reject);
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', resolve);
  });
  ended.catch(() => undefined); // it may be cut before anybody waits for it
  const message = RUN_FUNCTION.requestSerialize(smallRequest({ late: true }));
  const frame = Buffer.concat([Buffer.alloc(5), message]);
  frame.writeUInt32BE(message.length, 1);
  stream.write(frame.subarray(0, 20));
  if (session.connecting) await once(session, 'connect');
  // The answer to a ping tells that what was sent before it has arrived.
  await new Promise<void>((resolve, reject) => {
    session.ping((error) => (error === null ? resolve() : reject(error)));
  });
  return {
    finish: async () => {
      stream.end(frame.subarray(20));
      await ended;
      session.close();
      const answer = Buffer.concat(chunks);
      if (answer.length < 5) throw new Error('the stream ended without an answer');
      return RUN_FUNCTION.responseDeserialize(answer.subarray(5));
    },
  };
}

export interface Running {
  /** Host and port, or the path of a socket. */
  readonly address: string;
  readonly ca: Authority;
  readonly folder: ReturnType<typeof certificateFolder>;
  /** The log as it is without debugging, an event each. */
  readonly events: readonly { readonly level: string; readonly message: string }[];
  readonly client: (credentials?: ChannelCredentials) => Client;
  readonly runFunction: (request: RunFunctionRequest) => Promise<RunFunctionResponse>;
  /** Asks it to end, as a signal does; gives the exit code. */
  readonly stop: () => Promise<number>;
  /** Ends what still runs and removes the certificates. */
  readonly clean: () => Promise<void>;
}

/** Serves a handler in this process, on a free port of loopback unless said otherwise. */
export async function running(
  handler: Handler,
  more: Partial<Omit<ServeOptions, 'handler' | 'stopped'>> = {},
): Promise<Running> {
  const ca = authority('function-ca');
  const folder = certificateFolder(ca.issue('function'), ca);
  const events: { level: string; message: string; address?: string }[] = [];
  let [listening, signal] = [
    (_address: string): void => undefined,
    (_name: string): void => undefined,
  ];
  const listens = new Promise<string>((resolve) => {
    listening = resolve;
  });
  const stopped = new Promise<string>((resolve) => {
    signal = resolve;
  });
  const ended = serve({
    address: listenAddress('tcp', '127.0.0.1:0'),
    certificates: { folder: folder.folder },
    maxReceiveBytes: 4 * 1024 * 1024,
    handler,
    stopped,
    ...more,
    log: (level, message, fields) => {
      if (level !== 'debug') events.push({ level, message, ...fields });
      if (message.startsWith('listening')) listening(String(fields?.['address']));
    },
  });
  ended.catch(() => folder.remove());
  const address = await Promise.race([listens, ended.then(() => '')]);
  const clients: Client[] = [];
  const client = (credentials = clientCredentials(ca, ca.issue('crossplane'))) => {
    const target = address.startsWith('/') ? `unix:${address}` : address;
    const made = new Client(target, credentials, {
      'grpc.use_local_subchannel_pool': 1,
      'grpc.ssl_target_name_override': 'localhost',
    });
    clients.push(made);
    return made;
  };
  const own = client();
  const stop = () => {
    signal('SIGTERM');
    return ended;
  };
  return {
    address,
    ca,
    folder,
    events,
    client,
    runFunction: (request) => call(own, RUN_FUNCTION, request),
    stop,
    clean: async () => {
      for (const one of clients) one.close();
      await stop();
      folder.remove();
    },
  };
}
