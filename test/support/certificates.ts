// X.509 certificates from node:crypto alone: a CA, and what it signs. DER is written by hand (X.690,
// RFC 5280); P-256 keys, since they are made in a millisecond.
import {
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
} from 'node:crypto';

/** A certificate and its key, as PEM. */
export interface Identity {
  readonly certificate: string;
  readonly privateKey: string;
}

export interface Authority extends Identity {
  /** A certificate signed by this authority, for localhost and 127.0.0.1, as server and client. */
  readonly issue: (name: string) => Identity;
}

/** A new certificate authority. */
export function authority(name: string): Authority {
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const isCa = extension('2.5.29.19', sequence(tlv(0x01, Buffer.from([0xff]))), true);
  const certificate = certify(name, keys.publicKey, name, keys.privateKey, [isCa]);
  return {
    certificate,
    privateKey: pem(keys.privateKey),
    issue: (subject) => {
      const own = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const names = [tlv(0x82, Buffer.from('localhost')), tlv(0x87, Buffer.from([127, 0, 0, 1]))];
      const alternatives = extension('2.5.29.17', sequence(...names));
      return {
        certificate: certify(subject, own.publicKey, name, keys.privateKey, [alternatives]),
        privateKey: pem(own.privateKey),
      };
    },
  };
}

const ECDSA_WITH_SHA256 = sequence(oid('1.2.840.10045.4.3.2'));
const DAY_MS = 86_400_000;

function certify(
  subject: string,
  key: KeyObject,
  issuer: string,
  issuerKey: KeyObject,
  extensions: readonly Buffer[],
): string {
  const body = sequence(
    tlv(0xa0, tlv(0x02, Buffer.from([2]))), // version 3
    tlv(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ECDSA_WITH_SHA256,
    commonName(issuer),
    sequence(time(Date.now() - DAY_MS), time(Date.now() + DAY_MS)),
    commonName(subject),
    createPublicKey(key.export({ type: 'spki', format: 'pem' })).export({
      type: 'spki',
      format: 'der',
    }),
    tlv(0xa3, sequence(...extensions)),
  );
  const signature = Buffer.concat([Buffer.from([0]), sign('sha256', body, issuerKey)]);
  const der = sequence(body, ECDSA_WITH_SHA256, tlv(0x03, signature)).toString('base64');
  return `-----BEGIN CERTIFICATE-----\n${der.replace(/.{64}/gu, '$&\n')}\n-----END CERTIFICATE-----\n`;
}

function commonName(name: string): Buffer {
  return sequence(tlv(0x31, sequence(oid('2.5.4.3'), tlv(0x0c, Buffer.from(name)))));
}

function extension(id: string, value: Buffer, critical = false): Buffer {
  const flag = critical ? [tlv(0x01, Buffer.from([0xff]))] : [];
  return sequence(oid(id), ...flag, tlv(0x04, value));
}

function time(milliseconds: number): Buffer {
  const text = new Date(milliseconds).toISOString().replace(/[-:T]|\.\d+/gu, '');
  return tlv(0x18, Buffer.from(text));
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return tlv(0x30, Buffer.concat(parts));
}

function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  const bytes = [first * 40 + second, ...rest].flatMap((part) => {
    const digits = [part % 128];
    for (let left = Math.floor(part / 128); left > 0; left = Math.floor(left / 128)) {
      digits.unshift((left % 128) + 128);
    }
    return digits;
  });
  return tlv(0x06, Buffer.from(bytes));
}

function tlv(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size =
    length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

function pem(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString();
}
