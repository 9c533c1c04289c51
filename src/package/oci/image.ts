// Layers, image configurations, manifests and indexes, as plain values with fixed key order.
//
// Layers that Crossplane reads are marked twice, as its own builder does: by an annotation in the
// manifest, and by a label in the configuration, since a docker-save archive carries no annotations.
import { type Blob, blob, type Descriptor, descriptorOf, digestOf, jsonBlob } from './blob.ts';
import { gzip } from './gzip.ts';
import { packTar, type TarEntry } from './tar.ts';

export const LAYER_TYPE = 'application/vnd.oci.image.layer.v1.tar+gzip';
export const CONFIG_TYPE = 'application/vnd.oci.image.config.v1+json';
export const MANIFEST_TYPE = 'application/vnd.oci.image.manifest.v1+json';
export const INDEX_TYPE = 'application/vnd.oci.image.index.v1+json';

/** The annotation on a layer, and the beginning of its label in the configuration. */
export const XPKG_MARK = 'io.crossplane.xpkg';

/** `base` holds package.yaml, `upbound` the examples. */
export type LayerRole = 'base' | 'upbound';

export interface Layer {
  readonly blob: Blob;
  /** The digest of the archive before compression. */
  readonly diffId: string;
  readonly role?: LayerRole;
}

export interface Platform {
  readonly os: string;
  readonly architecture: string;
}

/** What an image runs, in the words of the OCI image configuration. */
export interface ContainerConfig {
  readonly User?: string;
  readonly ExposedPorts?: { readonly [port: string]: Record<string, never> };
  readonly Env?: readonly string[];
  readonly Entrypoint?: readonly string[];
  readonly Cmd?: readonly string[];
  readonly WorkingDir?: string;
  readonly Labels?: { readonly [key: string]: string };
}

export interface Image {
  readonly manifest: Blob;
  readonly config: Blob;
  readonly layers: readonly Layer[];
  readonly platform: Platform;
}

export interface ImageIndex {
  readonly manifest: Blob;
  readonly images: readonly Image[];
}

/** No time of building: the bytes of an image depend on its content alone. */
const CREATED = '1970-01-01T00:00:00Z';

/** Entries as one compressed layer. */
export async function layer(entries: readonly TarEntry[], role?: LayerRole): Promise<Layer> {
  const archive = packTar(entries);
  return {
    blob: blob(LAYER_TYPE, await gzip(archive)),
    diffId: digestOf(archive),
    ...(role === undefined ? {} : { role }),
  };
}

export interface ImageParts {
  readonly layers: readonly Layer[];
  readonly container?: ContainerConfig;
  /** A package without a runtime has none, which is written as empty strings. */
  readonly platform?: Platform;
  /** Written on the manifest: where the sources are, which commit. */
  readonly annotations?: { readonly [key: string]: string };
}

/** An image of the given layers. */
export function image(parts: ImageParts): Image {
  const platform = parts.platform ?? { os: '', architecture: '' };
  const marks = parts.layers.flatMap((one): [string, string][] =>
    one.role === undefined ? [] : [[`${XPKG_MARK}:${one.blob.digest}`, one.role]],
  );
  const labels = { ...parts.container?.Labels, ...Object.fromEntries(marks) };
  const config = jsonBlob(CONFIG_TYPE, {
    architecture: platform.architecture,
    created: CREATED,
    os: platform.os,
    config: { ...parts.container, Labels: labels },
    rootfs: { type: 'layers', diff_ids: parts.layers.map((one) => one.diffId) },
    history: parts.layers.map(() => ({ created: CREATED })),
  });
  const manifest = jsonBlob(MANIFEST_TYPE, {
    schemaVersion: 2,
    mediaType: MANIFEST_TYPE,
    config: descriptorOf(config),
    layers: parts.layers.map((one) =>
      descriptorOf(
        one.blob,
        one.role === undefined ? {} : { annotations: { [XPKG_MARK]: one.role } },
      ),
    ),
    ...(parts.annotations === undefined ? {} : { annotations: parts.annotations }),
  });
  return { manifest, config, layers: parts.layers, platform };
}

/** An index of images, each found by its platform. */
export function imageIndex(
  images: readonly Image[],
  annotations?: { readonly [key: string]: string },
): ImageIndex {
  const manifest = jsonBlob(INDEX_TYPE, {
    schemaVersion: 2,
    mediaType: INDEX_TYPE,
    manifests: images.map((one): Descriptor => {
      const { architecture, os } = one.platform;
      return descriptorOf(one.manifest, { platform: { architecture, os } });
    }),
    ...(annotations === undefined ? {} : { annotations }),
  });
  return { manifest, images };
}

/** Every blob of an image that is no manifest, in the order to be pushed: layers, then configuration. */
export function blobsOf(one: Image): readonly Blob[] {
  return [...one.layers.map((part) => part.blob), one.config];
}
