// An OCI image layout: the folder form of what a registry holds.
import { type Blob, descriptorOf, hexOf } from './blob.ts';
import { blobsOf, type Image, type ImageIndex } from './image.ts';

/** The files of a layout by their path in it. */
export type LayoutFiles = ReadonlyMap<string, Uint8Array>;

const REF_NAME = 'org.opencontainers.image.ref.name';

/** What a layout names, and every blob behind it. */
export interface Named {
  readonly name: string;
  readonly content: Image | ImageIndex;
}

/** The files of a layout that holds images and indexes under their names. */
export function layoutFiles(named: readonly Named[]): LayoutFiles {
  const blobs: Blob[] = named.flatMap(({ content }) => blobsBehind(content));
  const index = {
    schemaVersion: 2,
    mediaType: 'application/vnd.oci.image.index.v1+json',
    manifests: named.map(({ name, content }) =>
      descriptorOf(content.manifest, { annotations: { [REF_NAME]: name } }),
    ),
  };
  return new Map([
    ['oci-layout', Buffer.from(JSON.stringify({ imageLayoutVersion: '1.0.0' }))],
    ['index.json', Buffer.from(JSON.stringify(index))],
    ...blobs.map((one): [string, Uint8Array] => [blobPath(one.digest), one.bytes]),
  ]);
}

/** Where a layout keeps a blob. */
export function blobPath(digest: string): string {
  return `blobs/sha256/${hexOf(digest)}`;
}

function blobsBehind(content: Image | ImageIndex): Blob[] {
  if ('images' in content) {
    return [...content.images.flatMap((one) => blobsBehind(one)), content.manifest];
  }
  return [...blobsOf(content), content.manifest];
}
