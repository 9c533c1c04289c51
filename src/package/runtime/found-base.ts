// An image that somebody else made, as a base: its layers, its settings, and where Node.js is in it.
import { type JsonObject, listAt, stringAt } from '../../core/json.ts';
import { refuse } from '../../core/problem.ts';
import { gunzip } from '../oci/gzip.ts';
import type { ContainerConfig, Layer } from '../oci/image.ts';
import { readTar } from '../oci/tar.ts';
import type { Base } from './base.ts';

const USUAL_PATH = 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** The base that an image is. Throws BASE_UNUSABLE when it has no Node.js. */
export function foundBase(name: string, layers: readonly Layer[], config: JsonObject): Base {
  const env = listAt(config, 'Env').filter((one) => typeof one === 'string');
  const path = env.find((one) => one.startsWith('PATH=')) ?? USUAL_PATH;
  const user = stringAt(config, 'User');
  const container: ContainerConfig = {
    // Root is nobody's wish: the function needs nothing that its own user may not do.
    User: user === undefined || /^(?:0|root)(?::|$)/u.test(user) ? '2000:2000' : user,
    Env: env.includes(path) ? withCommands(env, path) : [path, ...env],
    WorkingDir: stringAt(config, 'WorkingDir') ?? '/',
  };
  return {
    layers,
    node: nodeIn(name, layers, config, path),
    container,
    components: [],
    notes: [`the image is built upon ${name}; what is in that is not in the bill of materials`],
  };
}

/** The folder of our command must be on the path, so that a pod can name it alone. */
function withCommands(env: readonly string[], path: string): string[] {
  const folders = path.slice('PATH='.length).split(':');
  if (folders.includes('/usr/local/bin')) return [...env];
  return env.map((one) => (one === path ? `${path}:/usr/local/bin` : one));
}

function nodeIn(name: string, layers: readonly Layer[], config: JsonObject, path: string): string {
  const [entry] = listAt(config, 'Entrypoint');
  if (typeof entry === 'string' && /^\/(?:.*\/)?node(?:js)?$/u.test(entry)) return entry;
  const folders = [...path.slice('PATH='.length).split(':'), '/nodejs/bin'];
  const wanted = folders.map((folder) => `${folder.replace(/^\//u, '')}/node`);
  for (const { blob } of layers.toReversed()) {
    const found = readTar(gunzip(blob.bytes)).find(
      (file) => wanted.includes(file.path) && ['file', 'symlink', 'hardlink'].includes(file.type),
    );
    if (found !== undefined) return `/${found.path}`;
  }
  return refuse(
    'BASE_UNUSABLE',
    `the base ${name} holds no Node.js: expected a program node in ${folders.join(', ')}`,
  );
}
