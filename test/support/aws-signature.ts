// The server's side of AWS Signature Version 4: what the signature of a request has to be.
import { createHash, createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** The signature in hex, from the headers the request says it signed. */
export function signatureOf(request: IncomingMessage, url: URL, secret: string): string {
  const authorization = request.headers.authorization ?? '';
  const signed = (/SignedHeaders=([^,]+)/u.exec(authorization)?.[1] ?? '').split(';');
  const [, date = '', region = '', service = ''] =
    /Credential=[^/]+\/([^/]+)\/([^/]+)\/([^/]+)\//u.exec(authorization) ?? [];
  const canonical = [
    request.method,
    url.pathname,
    [...url.searchParams]
      .map(([name, value]) => `${encode(name)}=${encode(value)}`)
      .sort()
      .join('&'),
    ...signed.map((name) => `${name}:${String(request.headers[name] ?? '').trim()}`),
    '',
    signed.join(';'),
    request.headers['x-amz-content-sha256'],
  ].join('\n');
  const scope = `${date}/${region}/${service}/aws4_request`;
  const text = ['AWS4-HMAC-SHA256', request.headers['x-amz-date'], scope, hash(canonical)].join(
    '\n',
  );
  const key = [date, region, service, 'aws4_request'].reduce<Buffer>(
    (previous, part) => hmac(previous, part),
    Buffer.from(`AWS4${secret}`),
  );
  return hmac(key, text).toString('hex');
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** As encodeURIComponent, and the four characters it leaves. */
function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/gu,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
