// A certificate authority for one run and the certificates it signs.
import 'reflect-metadata';
import { generateKeyPairSync, type KeyObject, randomBytes, webcrypto } from 'node:crypto';
import {
  BasicConstraintsExtension,
  cryptoProvider,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  type X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509';

const ECDSA = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const DAY_MS = 86_400_000;

export interface Pair {
  readonly certificate: string;
  readonly key: string;
}

export interface Authority {
  readonly certificate: string;
  /** A certificate for server and client use with these host names; 127.0.0.1 and localhost are always in it. */
  readonly issue: (name: string, hosts?: readonly string[]) => Promise<Pair>;
}

/** A new authority, valid from yesterday to tomorrow. */
export async function newAuthority(): Promise<Authority> {
  cryptoProvider.set(webcrypto);
  const keys = await newKeys();
  const authority = await X509CertificateGenerator.createSelfSigned({
    ...life(),
    name: 'CN=celld-stack e2e',
    keys: keys.pair,
    signingAlgorithm: ECDSA,
    extensions: [
      new BasicConstraintsExtension(true, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
    ],
  });
  return {
    certificate: authority.toString('pem'),
    issue: (name, hosts = []) => issue(authority, keys.pair.privateKey, name, hosts),
  };
}

/** A private key in PEM for the API server's service-account tokens. */
export function newSigningKey(): string {
  return pem(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey);
}

async function issue(
  authority: X509Certificate,
  signingKey: webcrypto.CryptoKey,
  name: string,
  hosts: readonly string[],
): Promise<Pair> {
  const keys = await newKeys();
  const certificate = await X509CertificateGenerator.create({
    ...life(),
    subject: `CN=${name}`,
    issuer: authority.subject,
    publicKey: keys.pair.publicKey,
    signingKey,
    signingAlgorithm: ECDSA,
    extensions: [
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth, ExtendedKeyUsage.clientAuth]),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      new SubjectAlternativeNameExtension([
        { type: 'ip', value: '127.0.0.1' },
        ...['localhost', ...hosts].map((value) => ({ type: 'dns' as const, value })),
      ]),
    ],
  });
  return { certificate: certificate.toString('pem'), key: keys.pem };
}

function life(): { serialNumber: string; notBefore: Date; notAfter: Date } {
  const now = Date.now();
  return {
    serialNumber: `01${randomBytes(15).toString('hex')}`,
    notBefore: new Date(now - DAY_MS),
    notAfter: new Date(now + DAY_MS),
  };
}

async function newKeys(): Promise<{ pair: webcrypto.CryptoKeyPair; pem: string }> {
  const pair = (await webcrypto.subtle.generateKey(ECDSA, true, [
    'sign',
    'verify',
  ])) as webcrypto.CryptoKeyPair;
  const pkcs8 = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', pair.privateKey));
  const body =
    pkcs8
      .toString('base64')
      .match(/.{1,64}/gu)
      ?.join('\n') ?? '';
  return { pair, pem: `-----BEGIN PRIVATE KEY-----\n${body}\n-----END PRIVATE KEY-----\n` };
}

function pem(key: KeyObject): string {
  // The API server reads no other form as a key to verify with.
  return key.export({ type: 'sec1', format: 'pem' }).toString();
}
