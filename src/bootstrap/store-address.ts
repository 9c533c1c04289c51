// CELLD_BUCKET as celld reads it: scheme, bucket or container, and the prefix all keys stand under.
import { refuse } from '../core/problem.ts';

export type StoreKind = 's3' | 'gs' | 'az';

export interface StoreAddress {
  readonly kind: StoreKind;
  /** The bucket, or the container of Azure. */
  readonly bucket: string;
  /** Empty, or the prefix without slashes at its ends. */
  readonly prefix: string;
}

const FORM = /^(?:(?<scheme>[a-z0-9+.-]+):\/\/)?(?<bucket>[^/]+)(?:\/(?<prefix>.*))?$/iu;

/**
 * Reads `[s3://|gs://|az://]NAME[/PREFIX]`; without a scheme it is S3 (celld `bucket.rs`). Throws a
 * STORE_SETTINGS problem for anything else.
 */
export function readStoreAddress(text: string): StoreAddress {
  const { scheme = 's3', bucket, prefix = '' } = FORM.exec(text.trim())?.groups ?? {};
  const kind = scheme.toLowerCase();
  if (bucket === undefined || (kind !== 's3' && kind !== 'gs' && kind !== 'az')) {
    return refuseAddress(text);
  }
  const trimmed = prefix.replace(/\/+$/u, '');
  const parts = trimmed === '' ? [] : trimmed.split('/');
  if (!/^[A-Za-z0-9._-]+$/u.test(bucket) || !parts.every(isPrefixPart)) {
    return refuseAddress(text);
  }
  return { kind, bucket, prefix: trimmed };
}

function isPrefixPart(part: string): boolean {
  return /^[A-Za-z0-9._-]+$/u.test(part) && part !== '.' && part !== '..';
}

function refuseAddress(text: string): never {
  return refuse(
    'STORE_SETTINGS',
    `found ${JSON.stringify(text)}: expected [s3://|gs://|az://]NAME[/PREFIX], the prefix of letters, digits and - _ . /`,
    { path: 'CELLD_BUCKET' },
  );
}

/** The whole key of a key of the fleet. */
export function keyUnder(address: StoreAddress, key: string): string {
  return address.prefix === '' ? key : `${address.prefix}/${key}`;
}

/** `s3://bucket/prefix`, for messages. */
export function formatAddress(address: StoreAddress): string {
  return `${address.kind}://${keyUnder({ ...address, prefix: address.bucket }, address.prefix).replace(/\/$/u, '')}`;
}
