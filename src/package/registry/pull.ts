// Content out of a registry, each piece held against its digest.
import { Buffer } from 'node:buffer';
import type { Json } from '../../core/json.ts';
import { refuse } from '../../core/problem.ts';
import { digestOf } from '../oci/blob.ts';
import { CONFIG_TYPE, INDEX_TYPE, MANIFEST_TYPE } from '../oci/image.ts';
import type { RegistryClient } from './client.ts';
import { scope } from './push.ts';

/** Docker's names for the same documents. */
const MANIFEST_TYPES = [
  INDEX_TYPE,
  MANIFEST_TYPE,
  'application/vnd.docker.distribution.manifest.list.v2+json',
  'application/vnd.docker.distribution.manifest.v2+json',
];

/** No manifest is larger: registries refuse it. */
const MOST_MANIFEST_BYTES = 4 * 1024 * 1024;

export interface FetchedManifest {
  readonly digest: string;
  readonly bytes: Uint8Array;
  readonly document: Json;
}

/** The digest behind a tag, or undefined when there is no such tag. */
export async function findDigest(
  client: RegistryClient,
  repository: string,
  tag: string,
): Promise<string | undefined> {
  const response = await client.send({
    method: 'HEAD',
    path: `${repository}/manifests/${tag}`,
    scopes: [scope(repository, 'pull')],
    headers: { accept: MANIFEST_TYPES.join(', ') },
    accept: [200, 404],
  });
  if (response.status === 404) return undefined;
  const digest = response.headers.get('docker-content-digest');
  return digest ?? (await fetchManifest(client, repository, tag)).digest;
}

/** A manifest or index by tag or digest. Throws REGISTRY_REFUSED when it is not what its digest says. */
export async function fetchManifest(
  client: RegistryClient,
  repository: string,
  reference: string,
): Promise<FetchedManifest> {
  const response = await client.send({
    method: 'GET',
    path: `${repository}/manifests/${reference}`,
    scopes: [scope(repository, 'pull')],
    headers: { accept: MANIFEST_TYPES.join(', ') },
    accept: [200],
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  if (bytes.length > MOST_MANIFEST_BYTES) {
    refuse('REGISTRY_REFUSED', `${repository}@${reference} is a manifest of ${bytes.length} bytes`);
  }
  const digest = digestOf(bytes);
  if (reference.startsWith('sha256:'))
    holdDigest(client, `${repository}@${reference}`, digest, reference);
  return { digest, bytes, document: JSON.parse(bytes.toString('utf8')) as Json };
}

/** A blob by its digest. Throws REGISTRY_REFUSED when it is not what its digest says. */
export async function fetchBlob(
  client: RegistryClient,
  repository: string,
  digest: string,
): Promise<Uint8Array> {
  const response = await client.send({
    method: 'GET',
    path: `${repository}/blobs/${digest}`,
    scopes: [scope(repository, 'pull')],
    headers: { accept: `${CONFIG_TYPE}, */*` },
    accept: [200],
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  holdDigest(client, `${repository}@${digest}`, digestOf(bytes), digest);
  return bytes;
}

function holdDigest(client: RegistryClient, what: string, found: string, wanted: string): void {
  if (found === wanted) return;
  refuse('REGISTRY_REFUSED', `${client.registry} served ${what} with the digest ${found}`);
}
