// A function as a process of its own, and a client that sends bytes, so that the client's own reading and
// writing of messages is no part of what is measured.
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { ChannelCredentials, Client } from '@grpc/grpc-js';
import { FunctionRunnerServiceService } from '../src/crossplane/protocol.ts';
import type { Authority } from '../test/support/certificates.ts';

export interface FunctionProcess {
  /** Milliseconds from the spawn until it said that it listens. */
  readonly startMs: number;
  /** One call with an encoded request; gives the encoded answer. */
  readonly call: (request: Uint8Array) => Promise<Buffer>;
  /** Milliseconds of processor time it has used so far. */
  readonly processorMs: () => number;
  /** Resident memory in megabytes. */
  readonly residentMb: () => number;
  readonly kill: () => void;
}

/** Starts a function, connects to it over mTLS and makes one call. */
export async function startFunction(
  args: readonly string[],
  certificates: { readonly ca: Authority; readonly folder: string },
  first: Uint8Array,
): Promise<FunctionProcess> {
  const begin = performance.now();
  const child = spawn(process.execPath, args, {
    env: { ...process.env, TLS_SERVER_CERTS_DIR: certificates.folder },
    stdio: ['ignore', 'inherit', 'pipe'],
  });
  const address = await listening(child);
  const startMs = performance.now() - begin;
  const { certificate, privateKey } = certificates.ca.issue('crossplane');
  const [ca, key, chain] = [certificates.ca.certificate, privateKey, certificate].map((text) =>
    Buffer.from(text),
  );
  const client = new Client(
    address,
    ChannelCredentials.createSsl(ca ?? null, key ?? null, chain ?? null),
    { 'grpc.ssl_target_name_override': 'localhost', 'grpc.use_local_subchannel_pool': 1 },
  );
  const call = (request: Uint8Array): Promise<Buffer> =>
    new Promise((resolve, reject) => {
      client.makeUnaryRequest<Uint8Array, Buffer>(
        FunctionRunnerServiceService.runFunction.path,
        (bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
        (bytes) => bytes,
        request,
        (error, answer) => {
          if (error === null && answer !== undefined) resolve(answer);
          else reject(error ?? new TypeError('a call came back with nothing'));
        },
      );
    });
  await call(first);
  return {
    startMs,
    call,
    processorMs: () => processorMs(child.pid ?? 0),
    residentMb: () => residentMb(child.pid ?? 0),
    kill: () => {
      client.close();
      child.kill('SIGKILL');
    },
  };
}

function listening(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let log = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      log += chunk.toString();
      const address = /"address":"([^"]+)"/u.exec(log)?.[1];
      if (address !== undefined) resolve(address);
    });
    child.once('exit', (code) => reject(new Error(`a function ended with ${code}: ${log}`)));
  });
}

function residentMb(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/u.exec(status)?.[1]) / 1024;
}

/** User and system time, fields 14 and 15 of /proc/PID/stat, in hundredths of a second. */
function processorMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
