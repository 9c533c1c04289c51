// Content into a registry: what is there already is not sent, what another repository has is mounted,
// and an upload that breaks off goes on where it stopped.
import { refuse } from '../../core/problem.ts';
import type { Blob } from '../oci/blob.ts';
import { blobsOf, type Image, type ImageIndex } from '../oci/image.ts';
import type { RegistryClient } from './client.ts';

export interface PushTarget {
  readonly client: RegistryClient;
  readonly repository: string;
  /** Repositories of the same registry that may have the content already. */
  readonly mountFrom: readonly string[];
  /** Bytes of one request; what breaks off is sent again from the last byte that arrived. */
  readonly partSize?: number;
}

export interface Pushed {
  /** Bytes of blobs that were sent. */
  readonly sent: number;
  /** Bytes that the registry had, here or in another repository. */
  readonly kept: number;
}

const PART_SIZE = 32 * 1024 * 1024;
const UPLOAD_TRIES = 5;
const AT_ONCE = 3;

/** Puts an image or an index and everything behind it under a tag. Gives what was sent and what was there. */
export async function pushContent(
  target: PushTarget,
  content: Image | ImageIndex,
  tag: string,
): Promise<Pushed> {
  const images = 'images' in content ? content.images : [content];
  const blobs = new Map(images.flatMap(blobsOf).map((one) => [one.digest, one]));
  const pushed = await pushBlobs(target, [...blobs.values()]);
  if ('images' in content) {
    for (const one of images) await putManifest(target, one.manifest, one.manifest.digest);
  }
  await putManifest(target, content.manifest, tag);
  return pushed;
}

async function pushBlobs(target: PushTarget, blobs: readonly Blob[]): Promise<Pushed> {
  let [sent, kept] = [0, 0];
  const waiting = [...blobs];
  const worker = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const { length } = next.bytes;
      if (await pushBlob(target, next)) sent += length;
      else kept += length;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return { sent, kept };
}

/** Whether the bytes had to be sent. */
async function pushBlob(target: PushTarget, content: Blob): Promise<boolean> {
  const { client, repository } = target;
  const found = await client.send({
    method: 'HEAD',
    path: `${repository}/blobs/${content.digest}`,
    scopes: [scope(repository, 'pull,push')],
    accept: [200, 404],
  });
  if (found.status === 200) return false;
  for (const from of target.mountFrom.filter((one) => one !== repository)) {
    const mounted = await client.send({
      method: 'POST',
      path: `${repository}/blobs/uploads/?mount=${content.digest}&from=${encodeURIComponent(from)}`,
      scopes: [scope(repository, 'pull,push'), scope(from, 'pull')],
      accept: [201, 202],
    });
    if (mounted.status === 201) return false;
    await upload(target, content, addressOf(mounted, client));
    return true;
  }
  await upload(target, content);
  return true;
}

/** Sends a blob; after a fault it goes on where the registry has it, or begins anew where it has nothing. */
async function upload(target: PushTarget, content: Blob, begun?: string): Promise<void> {
  let address = begun ?? (await begin(target));
  let from = 0;
  for (let tried = 1; ; tried++) {
    try {
      await sendFrom(target, content, address, from);
      return;
    } catch (error) {
      if (tried >= UPLOAD_TRIES || !isPassing(error)) throw error;
    }
    from = await arrived(target, address);
    if (from === 0) address = await begin(target);
  }
}

/** Only what may be over at the next try: no answer, or a server that says it failed. */
function isPassing(error: unknown): boolean {
  const { problems = [] } = error as { problems?: readonly { code: string; message: string }[] };
  return problems.some(
    ({ code, message }) =>
      code === 'REGISTRY_UNREACHABLE' ||
      (code === 'REGISTRY_REFUSED' && / with (?:404|408|416|429|5\d\d)\b/u.test(message)),
  );
}

async function begin({ client, repository }: PushTarget): Promise<string> {
  const begun = await client.send({
    method: 'POST',
    path: `${repository}/blobs/uploads/`,
    scopes: [scope(repository, 'pull,push')],
    accept: [202],
  });
  return addressOf(begun, client);
}

/** How many bytes of an upload a registry has; none when it has forgotten it. */
async function arrived(target: PushTarget, address: string): Promise<number> {
  const { client, repository } = target;
  const status = await client.send({
    method: 'GET',
    path: address,
    scopes: [scope(repository, 'pull,push')],
    accept: [204, 404],
  });
  const end = /^(?:bytes=)?0-(\d+)$/u.exec(status.headers.get('range') ?? '')?.[1];
  // An upload without a byte is written 0-0 by some registries, as is one with a single byte.
  return status.status === 404 || end === undefined || end === '0' ? 0 : Number(end) + 1;
}

async function sendFrom(
  target: PushTarget,
  content: Blob,
  start: string,
  from: number,
): Promise<void> {
  const { client, repository, partSize = PART_SIZE } = target;
  const { bytes, digest } = content;
  const scopes = [scope(repository, 'pull,push')];
  let address = start;
  for (let at = from; at < bytes.length; at += partSize) {
    const part = bytes.subarray(at, at + partSize);
    const answer = await client.send({
      method: 'PATCH',
      path: address,
      scopes,
      headers: {
        'content-type': 'application/octet-stream',
        'content-range': `${at}-${at + part.length - 1}`,
      },
      body: part,
      accept: [202],
      tries: 1,
    });
    address = addressOf(answer, client);
  }
  const separator = address.includes('?') ? '&' : '?';
  await client.send({
    method: 'PUT',
    path: `${address}${separator}digest=${encodeURIComponent(digest)}`,
    scopes,
    accept: [201],
    tries: 1,
  });
}

function addressOf(response: Response, { registry }: RegistryClient): string {
  const location = response.headers.get('location');
  if (location === null) {
    return refuse('REGISTRY_REFUSED', `${registry} began an upload without saying where it goes`);
  }
  return new URL(location, response.url).href;
}

async function putManifest(
  { client, repository }: PushTarget,
  manifest: Blob,
  reference: string,
): Promise<void> {
  const answer = await client.send({
    method: 'PUT',
    path: `${repository}/manifests/${reference}`,
    scopes: [scope(repository, 'pull,push')],
    headers: { 'content-type': manifest.mediaType },
    body: manifest.bytes,
    accept: [201],
  });
  const stored = answer.headers.get('docker-content-digest') ?? manifest.digest;
  if (stored !== manifest.digest) {
    refuse(
      'REGISTRY_REFUSED',
      `${client.registry} stored ${repository}:${reference} as ${stored}: expected ${manifest.digest}`,
    );
  }
}

/** The permission a request needs, as token services write it. */
export function scope(repository: string, actions: 'pull' | 'pull,push'): string {
  return `repository:${repository}:${actions}`;
}
