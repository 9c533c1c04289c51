// The assembled base: the C libraries in one layer, Node.js in the next, and nothing else: no shell, no
// package manager. It needs no registry of images.
import { Buffer } from 'node:buffer';
import { refuse } from '../../core/problem.ts';
import { blob, digestOf } from '../oci/blob.ts';
import { LAYER_TYPE, type Layer, layer } from '../oci/image.ts';
import { fileEntry, folderEntry, type TarEntry } from '../oci/tar.ts';
import { type Base, type Component, withFolders } from './base.ts';
import type { Cache } from './cache.ts';
import { type DebianPackages, fetchDebian } from './debian.ts';
import { librariesOf, loadedLibraries, neededFiles } from './libraries.ts';
import { fetchNode, type NodeFiles } from './node-binary.ts';
import { type Architecture, DEBIAN_PINS, NODE_PINS, NODE_VERSION } from './pins.ts';

/** Crossplane runs a function as this user, whatever the image says. */
const USER = 2000;

const SYSTEM_FILES: readonly TarEntry[] = [
  folderEntry('tmp', 0o1777),
  fileEntry('etc/passwd', `root:x:0:0::/:/\nnonroot:x:${USER}:${USER}::/:/\n`),
  fileEntry('etc/group', `root:x:0:\nnonroot:x:${USER}:\n`),
  // Without this file the C library asks DNS before /etc/hosts.
  fileEntry('etc/nsswitch.conf', 'passwd: files\ngroup: files\nhosts: files dns\n'),
];

const MACHINES: { readonly [name: string]: Architecture } = { x64: 'amd64', arm64: 'arm64' };

interface System {
  readonly layer: Layer;
  readonly components: readonly Component[];
  readonly notes: readonly string[];
}

/** The assembled base for an architecture; undefined when only this machine's libraries are to be had and they are for another. */
export async function assembleBase(
  architecture: Architecture,
  cache: Cache,
): Promise<Base | undefined> {
  let fetched: Promise<NodeFiles> | undefined;
  const node = () => (fetched ??= fetchNode(architecture));
  const pin = NODE_PINS[architecture];
  const [nodeLayer, system] = await Promise.all([
    cachedLayer(cache, `node ${pin.integrity}`, async () => nodeEntries(await node())),
    systemLayer(architecture, cache, node),
  ]);
  if (system === undefined) return undefined;
  return {
    layers: [system.layer, nodeLayer],
    node: '/usr/local/bin/node',
    container: { User: `${USER}:${USER}`, Env: ['PATH=/usr/local/bin'], WorkingDir: '/' },
    components: [
      {
        name: 'node',
        version: NODE_VERSION,
        purl: `pkg:npm/${pin.name}@${NODE_VERSION}`,
        license: 'MIT',
      },
      ...system.components,
    ],
    notes: system.notes,
  };
}

function nodeEntries({ binary, license }: NodeFiles): TarEntry[] {
  return withFolders([
    fileEntry('usr/local/bin/node', binary, 0o755),
    fileEntry('usr/share/doc/node/LICENSE', license),
  ]);
}

/** A layer that is made once: its archive is compressed for seconds. */
async function cachedLayer(
  cache: Cache,
  key: string,
  entries: () => Promise<TarEntry[]>,
): Promise<Layer> {
  let made: Promise<Layer> | undefined;
  const make = () => (made ??= entries().then((found) => layer(found)));
  const bytes = await cache.bytes(`${key} layer`, async () => (await make()).blob.bytes);
  const diffId = await cache.bytes(`${key} archive ${digestOf(bytes)}`, async () =>
    Buffer.from((await make()).diffId),
  );
  return { blob: blob(LAYER_TYPE, bytes), diffId: Buffer.from(diffId).toString() };
}

async function systemLayer(
  architecture: Architecture,
  cache: Cache,
  node: () => Promise<NodeFiles>,
): Promise<System | undefined> {
  const pins = DEBIAN_PINS.map((pin) => `${pin.name} ${pin.sha256[architecture]}`).join(', ');
  const key = `system ${NODE_VERSION} ${architecture} ${pins}`;
  let unpinned: System | undefined;
  const stored = await cache
    .bytes(key, async () => {
      const system = await makeSystem(architecture, node);
      if (system?.pinned === true) return pack(system);
      unpinned = system;
      throw new NotPinned();
    })
    .catch((error: unknown) => {
      if (error instanceof NotPinned) return undefined;
      throw error;
    });
  return stored === undefined ? unpinned : unpack(stored);
}

/** Keeps what must not be found again out of the cache. */
class NotPinned extends Error {}

function pack({ layer: made, components, notes }: System): Uint8Array {
  const head = Buffer.from(JSON.stringify({ diffId: made.diffId, components, notes }));
  return Buffer.concat([head, Buffer.from('\n'), made.blob.bytes]);
}

function unpack(bytes: Uint8Array): System {
  const stored = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const end = stored.indexOf('\n');
  const { diffId, ...rest } = JSON.parse(stored.toString('utf8', 0, end)) as {
    diffId: string;
    components: Component[];
    notes: string[];
  };
  return { ...rest, layer: { blob: blob(LAYER_TYPE, stored.subarray(end + 1)), diffId } };
}

async function makeSystem(
  architecture: Architecture,
  node: () => Promise<NodeFiles>,
): Promise<(System & { readonly pinned: boolean }) | undefined> {
  const [{ binary }, debian] = await Promise.all([node(), fetchDebian(architecture)]);
  if (debian === undefined) return hostSystem(architecture, binary);
  const entries = debian.packages.flatMap((one) => one.entries);
  const files = [...neededFiles(binary, librariesOf(entries)), ...notices(debian)];
  return {
    pinned: debian.pinned,
    layer: await layer(withFolders([...SYSTEM_FILES, ...files])),
    components: debian.packages.map((one) => ({
      name: one.name,
      version: one.version,
      purl: `pkg:deb/debian/${one.name}@${encodeURIComponent(one.version)}?arch=${architecture}`,
      sha256: one.sha256,
    })),
    notes: debian.pinned
      ? []
      : [
          `apt has other C libraries for ${architecture} than the pinned ones (${debian.packages.map((one) => `${one.name} ${one.version}`).join(', ')}): the image's digest is not that of a build with those`,
        ],
  };
}

function notices(debian: DebianPackages): TarEntry[] {
  return debian.packages
    .flatMap((one) => one.entries)
    .filter((entry) => /^usr\/share\/doc\/[^/]+(?:\/copyright)?$/u.test(entry.path))
    .filter((entry) => entry.type === 'file' || entry.type === 'symlink');
}

async function hostSystem(
  architecture: Architecture,
  binary: Uint8Array,
): Promise<(System & { readonly pinned: boolean }) | undefined> {
  if (process.platform !== 'linux') {
    return refuse(
      'BASE_UNUSABLE',
      `the base cannot be assembled on ${process.platform} without apt`,
      {
        hint: 'Give a base by --base, such as a reference to an image with Node.js, pinned by digest.',
      },
    );
  }
  if (MACHINES[process.arch] !== architecture) return undefined;
  return {
    pinned: false,
    layer: await layer(withFolders([...SYSTEM_FILES, ...neededFiles(binary, loadedLibraries())])),
    components: [],
    notes: [
      `the C libraries for ${architecture} are this machine's, since apt cannot fetch Debian's: good for a try, not for a release`,
    ],
  };
}
