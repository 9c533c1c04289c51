// The volumes of a pod as folders of this machine, and the paths inside a container as paths to them.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type JsonObject, listAt, stringAt, valueAt } from '../../src/core/json.ts';
import { dataOf, type PodFacts } from './pod-environment.ts';

export interface Mounts {
  /** A text with every path below a mount replaced by the path on this machine. */
  readonly translate: (text: string) => string;
  /** The folders the container may write to. */
  readonly writable: readonly string[];
}

/** Makes a folder for each volume and claim of a pod; Secrets and ConfigMaps become files. */
export function makeVolumes(
  podSpec: JsonObject,
  claims: readonly string[],
  root: string,
  pod: PodFacts,
): void {
  for (const claim of claims) mkdirSync(join(root, claim), { recursive: true });
  for (const volume of listAt(podSpec, 'volumes')) {
    const folder = join(root, stringAt(volume, 'name') ?? '');
    mkdirSync(folder, { recursive: true });
    const secret = stringAt(volume, 'secret', 'secretName');
    const data = secret === undefined ? {} : dataOf(pod, 'secret', secret);
    for (const item of listAt(volume, 'secret', 'items')) {
      const [key = '', path = ''] = [stringAt(item, 'key'), stringAt(item, 'path')];
      writeFileSync(join(folder, path), data[key] ?? '');
    }
  }
}

/** The mounts of one container. */
export function mountsOf(container: JsonObject, root: string): Mounts {
  const mounts = listAt(container, 'volumeMounts').map((mount) => ({
    path: stringAt(mount, 'mountPath') ?? '',
    folder: join(root, stringAt(mount, 'name') ?? ''),
    readOnly: valueAt(mount, 'readOnly') === true,
  }));
  return {
    translate: (text) =>
      mounts.reduce((rest, { path, folder }) => {
        const inside = new RegExp(`(?<![\\w.-])${path.replaceAll('.', '\\.')}(?=/|$)`, 'u');
        return rest.replace(inside, () => folder);
      }, text),
    writable: mounts.filter(({ readOnly }) => !readOnly).map(({ folder }) => folder),
  };
}
