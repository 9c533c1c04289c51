// An image as the one file that Crossplane's tools call a package: an archive in docker-save form.
import { hexOf } from './blob.ts';
import type { Image } from './image.ts';
import { fileEntry, packTar, readTar } from './tar.ts';

/** The bytes of an `.xpkg` file. */
export function packXpkg(image: Image): Uint8Array {
  const files = new Map(
    image.layers.map((layer) => [`${hexOf(layer.blob.digest)}.tar.gz`, layer.blob.bytes]),
  );
  const contents = [{ Config: image.config.digest, RepoTags: null, Layers: [...files.keys()] }];
  return packTar([
    fileEntry(image.config.digest, image.config.bytes),
    ...[...files].map(([name, bytes]) => fileEntry(name, bytes)),
    fileEntry('manifest.json', JSON.stringify(contents)),
  ]);
}

/** The configuration and the layers of a docker-save archive, or undefined when it is none. */
export function readDockerArchive(
  bytes: Uint8Array,
): { readonly config: Uint8Array; readonly layers: readonly Uint8Array[] } | undefined {
  const files = new Map(readTar(bytes).map((entry) => [entry.path, entry.content]));
  const index = files.get('manifest.json');
  if (index === undefined) return undefined;
  const [first] = JSON.parse(Buffer.from(index).toString('utf8')) as {
    Config: string;
    Layers: string[];
  }[];
  const config = files.get(first?.Config ?? '');
  const layers = (first?.Layers ?? []).map((name) => files.get(name));
  if (config === undefined || layers.some((one) => one === undefined)) return undefined;
  return { config, layers: layers.filter((one) => one !== undefined) };
}
