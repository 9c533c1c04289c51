// The function's image for one platform: a base, then the program, then the stamp, then the package.
// What changes most often stands last, so that a push sends little.
import {
  type Image,
  image,
  type Layer,
  type LayerRole,
  layer,
  type Platform,
} from '../oci/image.ts';
import { fileEntry, linkEntry } from '../oci/tar.ts';
import { type Base, withFolders } from './base.ts';
import { type Bundle, PROGRAM_FILE, STAMP_FILE, type Stamp, stampModule } from './bundle.ts';

/** Where the program stands; with a link in the path, so that a pod can name it alone. */
const FOLDER = 'app';
const COMMAND = 'usr/local/bin/celld-stack';

/** The program as a layer. It is started by its first line, for there is no shell. */
export function programLayer(bundle: Bundle, node: string): Promise<Layer> {
  const files = [...bundle.files].map(([name, bytes]) =>
    name === PROGRAM_FILE
      ? fileEntry(`${FOLDER}/${name}`, Buffer.concat([Buffer.from(`#!${node}\n`), bytes]), 0o755)
      : fileEntry(`${FOLDER}/${name}`, bytes),
  );
  return layer(
    withFolders([
      ...files,
      linkEntry(COMMAND, `/${FOLDER}/${PROGRAM_FILE}`),
      fileEntry('usr/share/doc/celld-stack/third-party-licenses.txt', bundle.licenses),
    ]),
  );
}

/** The stamp as a layer. */
export function stampLayer(stamp: Stamp): Promise<Layer> {
  return layer(withFolders([fileEntry(`${FOLDER}/${STAMP_FILE}`, stampModule(stamp))]));
}

/**
 * Bounds for the heap. Left to itself a busy function grows to half as much again as it needs. The largest
 * XR that fits into etcd takes some 150 MB while it is answered, the largest request that is accepted,
 * made of empty objects, just under 256 MB.
 */
const NODE_OPTIONS = '--max-semi-space-size=4 --max-old-space-size=256';

/** A package's documents as a layer that Crossplane finds by its mark. */
export function packageLayer(path: string, text: string, role: LayerRole): Promise<Layer> {
  return layer([fileEntry(path, text)], role);
}

/** A base with further layers, started as the function. */
export function runtimeImage(
  base: Base,
  layers: readonly Layer[],
  platform: Platform,
  annotations: { readonly [key: string]: string },
): Image {
  return image({
    layers: [...base.layers, ...layers],
    platform,
    annotations,
    container: {
      ...base.container,
      User: base.container.User ?? '2000:2000',
      ExposedPorts: { '9443/tcp': {} },
      Env: [...(base.container.Env ?? []), `NODE_OPTIONS=${NODE_OPTIONS}`],
      Entrypoint: [`/${COMMAND}`, 'serve'],
    },
  });
}
