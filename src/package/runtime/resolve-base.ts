// From what `--base` says to the base of each platform: assembled here, a folder or file on disk, or an
// image in a registry, which must be pinned by its digest.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Json, listAt, objectAt, stringAt } from '../../core/json.ts';
import { refuse } from '../../core/problem.ts';
import { readText } from '../../manifests/load.ts';
import { blob, digestOf } from '../oci/blob.ts';
import { gunzip, gzip } from '../oci/gzip.ts';
import { LAYER_TYPE } from '../oci/image.ts';
import { blobPath } from '../oci/layout.ts';
import { readDockerArchive } from '../oci/xpkg.ts';
import { connect } from '../registry/client.ts';
import { fetchBlob, fetchManifest } from '../registry/pull.ts';
import { parseReference } from '../registry/reference.ts';
import { assembleBase } from './assemble.ts';
import type { Base } from './base.ts';
import { type Cache, cacheIn } from './cache.ts';
import { foundBase } from './found-base.ts';
import { ARCHITECTURES, type Architecture } from './pins.ts';

/** The word for a base that needs no image of anybody. */
export const ASSEMBLED = 'assembled';

export type Bases = ReadonlyMap<Architecture, Base>;

/** Where the pieces of an image come from, by digest. */
interface Source {
  readonly document: (digest: string) => Promise<Json>;
  readonly blob: (digest: string) => Promise<Uint8Array>;
}

/** The bases for every architecture that is to be had. Throws BASE_UNUSABLE when linux/amd64 is not. */
export async function resolveBases(text: string, cacheFolder: string): Promise<Bases> {
  const cache = cacheIn(cacheFolder);
  const found = await basesOf(text, cache);
  if (!found.has('amd64')) {
    // Crossplane reads a function's package from its image for linux/amd64, on every cluster.
    refuse(
      'BASE_UNUSABLE',
      `the base ${text} has nothing for linux/amd64, which Crossplane asks for on every cluster`,
    );
  }
  return found;
}

async function basesOf(text: string, cache: Cache): Promise<Bases> {
  if (text === ASSEMBLED) {
    return collect(ARCHITECTURES, (architecture) => assembleBase(architecture, cache));
  }
  if (existsSync(text))
    return statSync(text).isDirectory() ? layoutBases(text) : archiveBases(text);
  return registryBases(text, cache);
}

async function collect(
  architectures: readonly Architecture[],
  make: (architecture: Architecture) => Promise<Base | undefined>,
): Promise<Bases> {
  const made = await Promise.all(
    architectures.map(
      async (one): Promise<[Architecture, Base | undefined]> => [one, await make(one)],
    ),
  );
  return new Map(made.filter((entry): entry is [Architecture, Base] => entry[1] !== undefined));
}

async function registryBases(text: string, cache: Cache): Promise<Bases> {
  const { registry, repository, digest } = parseReference(text);
  if (digest === undefined) {
    return refuse(
      'BASE_UNUSABLE',
      `the base ${text} is not pinned: expected ${text}@sha256:…, since a tag can move`,
    );
  }
  const client = await connect(registry);
  const source: Source = {
    document: async (wanted) => (await fetchManifest(client, repository, wanted)).document,
    blob: (wanted) => cache.bytes(`blob ${wanted}`, () => fetchBlob(client, repository, wanted)),
  };
  return imageBases(text, await source.document(digest), source);
}

function layoutBases(folder: string): Promise<Bases> {
  if (!existsSync(join(folder, 'oci-layout'))) {
    return refuse(
      'BASE_UNUSABLE',
      `the folder ${folder} is no OCI layout: it has no file oci-layout`,
    );
  }
  const read = async (digest: string): Promise<Uint8Array> => {
    const path = join(folder, blobPath(digest));
    const bytes = existsSync(path) ? readFileSync(path) : Buffer.alloc(0);
    if (digestOf(bytes) !== digest) {
      refuse('BASE_UNUSABLE', `the OCI layout ${folder} has no blob ${digest}, or a damaged one`);
    }
    return bytes;
  };
  const source: Source = {
    blob: read,
    document: async (digest) =>
      JSON.parse(Buffer.from(await read(digest)).toString('utf8')) as Json,
  };
  return imageBases(folder, JSON.parse(readText(join(folder, 'index.json'))) as Json, source);
}

/** The images behind a manifest or an index, each for its architecture. */
async function imageBases(text: string, document: Json, source: Source): Promise<Bases> {
  const manifests = await manifestsIn(document, source);
  const bases = new Map<Architecture, Base>();
  for (const manifest of manifests) {
    const config = await source
      .blob(stringAt(manifest, 'config', 'digest') ?? '')
      .then((bytes) => JSON.parse(Buffer.from(bytes).toString('utf8')) as Json);
    const architecture = ARCHITECTURES.find((one) => one === stringAt(config, 'architecture'));
    if (architecture === undefined || stringAt(config, 'os') !== 'linux' || bases.has(architecture))
      continue;
    const layers = listAt(manifest, 'layers').map((layer, index) => async () => ({
      blob: blob(layerType(layer), await source.blob(stringAt(layer, 'digest') ?? '')),
      diffId: stringAt(config, 'rootfs', 'diff_ids', index) ?? '',
    }));
    const loaded = await Promise.all(layers.map((load) => load()));
    bases.set(architecture, foundBase(text, loaded, objectAt(config, 'config')));
  }
  return bases;
}

async function manifestsIn(document: Json, source: Source): Promise<Json[]> {
  const children = listAt(document, 'manifests');
  if (children.length === 0) return [document];
  // An index may hold attestations and other systems' images beside ours.
  const wanted = children.filter((child) => {
    const architecture = stringAt(child, 'platform', 'architecture');
    return architecture === undefined || ARCHITECTURES.some((one) => one === architecture);
  });
  const found = await Promise.all(
    wanted.map((child) => source.document(stringAt(child, 'digest') ?? '')),
  );
  return (await Promise.all(found.map((child) => manifestsIn(child, source)))).flat();
}

/** Docker's and the OCI's names mean the same bytes; anything but a gzip layer cannot be taken over. */
function layerType(layer: Json): string {
  const type = stringAt(layer, 'mediaType') ?? '';
  if (type === LAYER_TYPE || type === 'application/vnd.docker.image.rootfs.diff.tar.gzip')
    return LAYER_TYPE;
  return refuse('BASE_UNUSABLE', `the base has a layer of type ${type}: expected ${LAYER_TYPE}`);
}

async function archiveBases(file: string): Promise<Bases> {
  const bytes = readFileSync(file);
  const archive = readDockerArchive(bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzip(bytes) : bytes);
  if (archive === undefined) {
    return refuse('BASE_UNUSABLE', `${file} is no archive as docker save or podman save writes it`);
  }
  const config = JSON.parse(Buffer.from(archive.config).toString('utf8')) as Json;
  const architecture = ARCHITECTURES.find((one) => one === stringAt(config, 'architecture'));
  if (architecture === undefined) {
    return refuse(
      'BASE_UNUSABLE',
      `${file} is for ${stringAt(config, 'architecture')}: expected amd64 or arm64`,
    );
  }
  const layers = await Promise.all(
    archive.layers.map(async (layer, index) => ({
      // Archives hold layers as they are unpacked; one that is compressed stays as it is.
      blob: blob(LAYER_TYPE, layer[0] === 0x1f && layer[1] === 0x8b ? layer : await gzip(layer)),
      diffId: stringAt(config, 'rootfs', 'diff_ids', index) ?? '',
    })),
  );
  return new Map([[architecture, foundBase(file, layers, objectAt(config, 'config'))]]);
}
