// The certificates Crossplane mounts into a function's pod: read, checked, and read again when they
// are renewed, so that a renewal needs no restart.
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ServerCredentials } from '@grpc/grpc-js';
import { type experimental, experimental as grpc } from '@grpc/grpc-js';
import { messageOf, ProblemError, refuse } from '../core/problem.ts';
import type { Log } from './log.ts';

/** A folder's `tls.crt`, `tls.key` and `ca.crt`: who we are, and who may call. */
export interface Certificates {
  readonly certificate: Buffer;
  readonly privateKey: Buffer;
  readonly ca: Buffer;
}

const HINT =
  'mount tls.crt, tls.key and ca.crt there, or pass --insecure for a trial on this machine';
const PEM_CERTIFICATE = /-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/gu;

/** Reads and checks a folder's certificates. Throws a CERTIFICATES_UNUSABLE problem that names the file. */
export async function readCertificates(folder: string): Promise<Certificates> {
  // One after the other, so that of several files that are missing the same one is always named.
  const certificate = await readPem(folder, 'tls.crt');
  const privateKey = await readPem(folder, 'tls.key');
  const ca = await readPem(folder, 'ca.crt');
  const [leaf] = parse(join(folder, 'tls.crt'), certificate);
  parse(join(folder, 'ca.crt'), ca);
  if (leaf?.checkPrivateKey(parseKey(join(folder, 'tls.key'), privateKey)) !== true) {
    unusable(join(folder, 'tls.key'), 'not the key of tls.crt');
  }
  return { certificate, privateKey, ca };
}

async function readPem(folder: string, name: string): Promise<Buffer> {
  const file = join(folder, name);
  try {
    return await readFile(file);
  } catch (error) {
    return unusable(file, READ_ERRORS[(error as { code?: string }).code ?? ''] ?? messageOf(error));
  }
}

const READ_ERRORS: { readonly [code: string]: string } = {
  ENOENT: 'no such file',
  ENOTDIR: 'no such file',
  EACCES: 'permission denied',
  EISDIR: 'a folder, not a file',
};

function parse(file: string, pem: Buffer): readonly X509Certificate[] {
  const blocks = pem.toString('latin1').match(PEM_CERTIFICATE) ?? [];
  if (blocks.length === 0) unusable(file, 'no PEM certificate in it');
  try {
    return blocks.map((block) => new X509Certificate(block));
  } catch {
    return unusable(file, 'a PEM certificate in it cannot be read');
  }
}

function parseKey(file: string, pem: Buffer) {
  try {
    return createPrivateKey(pem);
  } catch {
    return unusable(file, 'no PEM private key in it'); // what was found is never repeated: it is a key
  }
}

function unusable(file: string, cause: string): never {
  return refuse('CERTIFICATES_UNUSABLE', `cannot use the certificates: ${file}: ${cause}`, {
    hint: HINT,
  });
}

/**
 * Server credentials that demand a client certificate signed by `ca.crt`, and that change with the
 * folder: it is read again every `refreshMs`, which works with any way of mounting. Connections that
 * are open stay; new ones see the new certificates. What cannot be used is logged once, and the old kept.
 */
export function watchedCredentials(
  folder: string,
  first: Certificates,
  options: { readonly refreshMs: number; readonly log: Log },
): { readonly credentials: ServerCredentials; readonly stop: () => void } {
  const ca = new Set<experimental.CaCertificateUpdateListener>();
  const identity = new Set<experimental.IdentityCertificateUpdateListener>();
  let current = first;
  let failure: string | undefined;
  let logged: string | undefined;
  const refresh = async (): Promise<void> => {
    try {
      const next = await readCertificates(folder);
      failure = undefined;
      logged = undefined;
      if (sameCertificates(current, next)) return;
      current = next;
      for (const listener of ca) listener({ caCertificate: current.ca });
      for (const listener of identity) listener(current);
      options.log('info', 'certificates renewed', { folder });
    } catch (error) {
      const cause = error instanceof ProblemError ? error.problems[0]?.message : messageOf(error);
      // Once may mean that the files were just being exchanged; the same twice in a row means it is so.
      if (cause === failure && cause !== logged) {
        options.log('warn', 'certificates not renewed', { cause });
        logged = cause;
      }
      failure = cause;
    }
  };
  let stopped = false;
  const schedule = (): void => {
    const next = () => (stopped ? undefined : refresh().then(schedule));
    setTimeout(next, options.refreshMs).unref();
  };
  schedule();
  // A new listener is told on the next tick: grpc-js registers its own only after this call.
  const provider: experimental.CertificateProvider = {
    addCaCertificateListener: (listener) => {
      ca.add(listener);
      process.nextTick(() => listener({ caCertificate: current.ca }));
    },
    removeCaCertificateListener: (listener) => ca.delete(listener),
    addIdentityCertificateListener: (listener) => {
      identity.add(listener);
      process.nextTick(() => listener(current));
    },
    removeIdentityCertificateListener: (listener) => identity.delete(listener),
  };
  return {
    credentials: grpc.createCertificateProviderServerCredentials(provider, provider, true),
    stop: () => {
      stopped = true;
    },
  };
}

function sameCertificates(a: Certificates, b: Certificates): boolean {
  return (
    a.certificate.equals(b.certificate) && a.privateKey.equals(b.privateKey) && a.ca.equals(b.ca)
  );
}
