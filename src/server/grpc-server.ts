// The gRPC server around the handler: services, limits, binding and draining.
import { lookup } from 'node:dns/promises';
import { unlink } from 'node:fs/promises';
import { connect } from 'node:net';
import { resolve } from 'node:path';
import {
  type handleUnaryCall,
  logVerbosity,
  Server,
  type ServerCredentials,
  setLogVerbosity,
  status,
} from '@grpc/grpc-js';
import { objectAt } from '../core/json.ts';
import { messageOf, ProblemError, refuse } from '../core/problem.ts';
import type { RunFunctionRequest } from '../crossplane/protocol.ts';
import type { Handler } from './handler.ts';
import { HEALTH_SERVICE, health } from './health.ts';
import type { ListenAddress } from './listen-address.ts';
import type { Log } from './log.ts';
import { decodeRequest } from './wire/decode-request.ts';
import { encodeResponse } from './wire/encode-response.ts';

const SERVICES = ['v1', 'v1beta1'].map(
  // The messages are the same; Crossplane falls back to v1beta1 with functions that lack v1.
  (version) => `apiextensions.fn.proto.${version}.FunctionRunnerService`,
);

const asItIs = (bytes: Buffer): Buffer => bytes;

/** A service whose messages stay bytes until they are answered, so that of many calls one is in memory. */
function serviceOf(name: string) {
  return {
    runFunction: {
      path: `/${name}/RunFunction`,
      requestStream: false,
      responseStream: false,
      requestSerialize: asItIs,
      requestDeserialize: asItIs,
      responseSerialize: asItIs,
      responseDeserialize: asItIs,
    },
  } as const;
}

export interface GrpcServer {
  /** Where it listens: host and port, or the absolute path of the socket. */
  readonly address: string;
  /**
   * Refuses new calls and waits for those that run, at most `deadlineMs`; what runs longer is cut.
   * Gives true when every call was answered.
   */
  readonly drain: (deadlineMs: number) => Promise<boolean>;
}

/** Binds and serves. Throws an ADDRESS_UNUSABLE problem when it cannot listen there. */
export async function grpcServer(options: {
  readonly address: ListenAddress;
  readonly credentials: ServerCredentials;
  readonly maxReceiveBytes: number;
  readonly handler: Handler;
  readonly log: Log;
}): Promise<GrpcServer> {
  setLogVerbosity(logVerbosity.NONE); // it writes past our log; what matters comes back as errors
  const server = new Server({
    'grpc.max_receive_message_length': options.maxReceiveBytes,
    // Crossplane reconciles a hundred XRs at a time; beyond that callers wait, and memory stays bounded.
    'grpc.max_concurrent_streams': 100,
    'grpc.enable_channelz': 0,
  });
  const runFunction = unary(options.handler, options.log);
  for (const name of SERVICES) server.addService(serviceOf(name), { runFunction });
  const healthService = health(SERVICES);
  server.addService(HEALTH_SERVICE, healthService.implementation);
  const address = await listen(server, options.address, options.credentials);
  return {
    address,
    drain: (deadlineMs) => {
      healthService.stop();
      return drain(server, address, deadlineMs);
    },
  };
}

function unary(handler: Handler, log: Log): handleUnaryCall<Buffer, Buffer> {
  return (call, callback) => {
    const start = performance.now();
    const request = readRequest(call.request);
    if (request === undefined) {
      callback({ code: status.INVALID_ARGUMENT, details: 'the bytes are no RunFunctionRequest' });
      return;
    }
    const response = handler(request);
    callback(null, encodeResponse(response));
    log('debug', 'called', {
      xr: nameOf(request),
      tag: response.meta?.tag,
      milliseconds: Math.round((performance.now() - start) * 1000) / 1000,
      observed: Object.keys(request.observed?.resources ?? {}).length,
      desired: Object.keys(response.desired?.resources ?? {}).length,
      results: response.results.length,
    });
  };
}

function readRequest(bytes: Buffer): RunFunctionRequest | undefined {
  try {
    return decodeRequest(bytes);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** `namespace/name` of the XR a call is about. */
function nameOf({ observed }: RunFunctionRequest): string {
  const metadata = objectAt(observed?.composite?.resource, 'metadata');
  return [metadata['namespace'], metadata['name']].filter((part) => part !== undefined).join('/');
}

async function listen(
  server: Server,
  wanted: ListenAddress,
  credentials: ServerCredentials,
): Promise<string> {
  if (wanted.network === 'unix') {
    const path = resolve(wanted.host);
    await removeStaleSocket(path);
    await bind(server, `unix:${path}`, wanted, credentials);
    return path;
  }
  const host = await hostOf(wanted);
  try {
    return await bindHost(server, host, wanted, credentials);
  } catch (error) {
    // A machine without IPv6 has no `::`; every address of it is then 0.0.0.0.
    const anywhere = wanted.network === 'tcp' && wanted.host === '';
    if (!anywhere || !/EAFNOSUPPORT|EADDRNOTAVAIL/u.test(messageOf(error))) throw error;
    return bindHost(server, '0.0.0.0', wanted, credentials);
  }
}

async function bindHost(
  server: Server,
  host: string,
  wanted: ListenAddress,
  credentials: ServerCredentials,
): Promise<string> {
  const bracketed = host.includes(':') ? `[${host}]` : host;
  const port = await bind(server, `${bracketed}:${wanted.port}`, wanted, credentials);
  return `${bracketed}:${port}`;
}

/** One address, as Go does it: with a name that has several, the first. */
async function hostOf(wanted: ListenAddress): Promise<string> {
  const family = { tcp: 0, tcp4: 4, tcp6: 6, unix: 0 }[wanted.network];
  if (wanted.host === '') return family === 4 ? '0.0.0.0' : '::';
  try {
    return (await lookup(wanted.host, { family })).address;
  } catch {
    return refuse(
      'ADDRESS_UNUSABLE',
      `cannot listen on ${wanted.text}: ${JSON.stringify(wanted.host)} is no ${wanted.network} address of this machine`,
    );
  }
}

/** A socket that a killed process left behind takes no connections; one that does is left alone. */
async function removeStaleSocket(path: string): Promise<void> {
  const stale = await new Promise<boolean>((tell) => {
    const probe = connect(path);
    probe.once('connect', () => {
      probe.destroy();
      tell(false);
    });
    probe.once('error', (error) => tell((error as { code?: string }).code === 'ECONNREFUSED'));
  });
  if (stale) await unlink(path);
}

const BIND_ERRORS: { readonly [code: string]: string } = {
  EADDRINUSE: 'the address is already in use',
  EACCES: 'permission denied',
  EADDRNOTAVAIL: 'no such address on this machine (EADDRNOTAVAIL)',
  ENOENT: 'no such folder',
};

function bind(
  server: Server,
  target: string,
  wanted: ListenAddress,
  credentials: ServerCredentials,
): Promise<number> {
  return new Promise((accept, reject) => {
    server.bindAsync(target, credentials, (error, port) => {
      if (error === null) return accept(port);
      const code = /\b(E[A-Z]{3,})\b/u.exec(error.message)?.[1] ?? '';
      const cause = BIND_ERRORS[code] ?? error.message;
      const message = `cannot listen on ${wanted.text}: ${cause}`;
      reject(new ProblemError([{ code: 'ADDRESS_UNUSABLE', path: '', message }]));
    });
  });
}

function drain(server: Server, address: string, deadlineMs: number): Promise<boolean> {
  return new Promise((tell) => {
    // forceShutdown cuts nothing while channelz is off; an address's own drain does, at its deadline.
    server.drain(address.startsWith('/') ? `unix:${address}` : address, deadlineMs);
    let answered = true;
    const deadline = setTimeout(() => {
      answered = false;
    }, deadlineMs);
    server.tryShutdown(() => {
      clearTimeout(deadline);
      tell(answered);
    });
  });
}
