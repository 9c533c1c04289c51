// Content and its address: what a registry stores and an OCI layout holds.
import { createHash } from 'node:crypto';

export interface Blob {
  readonly mediaType: string;
  /** `sha256:` and 64 hex digits over the bytes. */
  readonly digest: string;
  readonly bytes: Uint8Array;
}

/** How a manifest or index points at a blob. */
export interface Descriptor {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
  readonly annotations?: { readonly [key: string]: string };
  readonly platform?: { readonly architecture: string; readonly os: string };
}

/** `sha256:…` over bytes or text. */
export function digestOf(content: Uint8Array | string): string {
  return `sha256:${createHash('sha256').update(content).digest('hex')}`;
}

/** The 64 hex digits of a digest. */
export function hexOf(digest: string): string {
  return digest.slice(digest.indexOf(':') + 1);
}

/** Bytes with their address. */
export function blob(mediaType: string, bytes: Uint8Array): Blob {
  return { mediaType, digest: digestOf(bytes), bytes };
}

/** A JSON document as a blob; its keys stay in the order they were written in. */
export function jsonBlob(mediaType: string, value: object): Blob {
  return blob(mediaType, Buffer.from(JSON.stringify(value)));
}

/** The descriptor of a blob. */
export function descriptorOf(
  content: Blob,
  more: Pick<Descriptor, 'annotations' | 'platform'> = {},
): Descriptor {
  return {
    mediaType: content.mediaType,
    digest: content.digest,
    size: content.bytes.length,
    ...more,
  };
}
