// A fleet on this machine from what Helm rendered: its pods, its Azurite, and the programs of its images.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { projectFile } from '../../src/cli/project.ts';
import { type JsonObject, listAt, objectAt, stringAt } from '../../src/core/json.ts';
import type { KubeObject } from '../../src/core/kube-object.ts';
import { type Pod, type RunImage, startPod } from './kubelet.ts';

const NAMESPACE = 'celld';

/** Two addresses of this machine, so that two pods can use one port. */
const IPS = process.platform === 'linux' ? ['127.0.0.1', '127.0.0.2'] : ['127.0.0.1', '::1'];

const CLUSTER_DNS = ['--import', projectFile('build', 'test', 'support', 'cluster-dns.js')];
const STAND_IN = projectFile('build', 'test', 'support', 'celld-stand-in', 'main.js');
const CELLD_STACK = projectFile('build', 'src', 'cli', 'start.js');
const AZURITE = projectFile('node_modules', 'azurite', 'dist', 'src', 'blob', 'main.js');

/** The pod of the StatefulSet with this ordinal. */
export function startNode(
  objects: readonly KubeObject[],
  ordinal: number,
  folder: string,
  testEnvironment: Readonly<Record<string, string>> = {},
): Pod {
  const set = only(objects, 'StatefulSet');
  const ip = IPS[ordinal] ?? '';
  const [container] = listAt(set, 'spec', 'template', 'spec', 'containers');
  const tag = (stringAt(container, 'image') ?? '').split(':').at(-1) ?? '';
  return startPod({
    name: `${stringAt(set, 'metadata', 'name')}-${ordinal}`,
    namespace: NAMESPACE,
    ip,
    objects,
    spec: objectAt(set, 'spec', 'template', 'spec'),
    claims: listAt(set, 'spec', 'volumeClaimTemplates').map(
      (claim) => stringAt(claim, 'metadata', 'name') ?? '',
    ),
    folder: made(join(folder, `node-${ordinal}`)),
    runImage,
    // CELLD_STAND_IN_VERSION is what the program in that image would be.
    testEnvironment: { CELLD_STAND_IN_VERSION: tag, STAND_IN_POD_IP: ip, ...testEnvironment },
  });
}

/** The pod of the Azurite Deployment. */
export function startAzuritePod(objects: readonly KubeObject[], folder: string): Pod {
  const spec = objectAt(only(objects, 'Deployment'), 'spec', 'template', 'spec');
  return startPod({
    name: 'azurite',
    namespace: NAMESPACE,
    ip: '127.0.0.1',
    objects,
    spec,
    claims: [],
    folder: made(join(folder, 'azurite')),
    runImage,
  });
}

/** The one object of a kind. */
export function only(objects: readonly KubeObject[], kind: string): JsonObject {
  const [found, second] = objects.filter((object) => object.kind === kind);
  if (found === undefined || second !== undefined) throw new Error(`not one ${kind}`);
  return found;
}

function made(folder: string): string {
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** Node's permissions keep the programs of ours to the folders that are mounted to be written. */
const runImage: RunImage = (image, command, args, { writable }) => {
  const node = [
    process.execPath,
    '--no-warnings',
    ...CLUSTER_DNS,
    '--experimental-permission',
    '--allow-fs-read=*',
    ...writable.map((folder) => `--allow-fs-write=${folder}/*`),
  ];
  const repository = image.replace(/[:@].*/u, '');
  if (repository === 'ghcr.io/hops-ops/function-celld-stack') {
    // The name of our program in its image; without a command the image is the function.
    const words = command.length === 0 ? ['celld-stack', 'serve'] : command;
    if (words[0] !== 'celld-stack') throw new Error(`no program ${words[0]}`);
    return [...node, CELLD_STACK, ...words.slice(1), ...args];
  }
  if (repository === 'ghcr.io/denoland/celld') {
    const program = [...node, STAND_IN];
    // A command in front of celld has the path of celld in the image among its words.
    if (command.length === 0) return [...program, ...args];
    const words = command.flatMap((word) => (word === '/usr/local/bin/celld' ? program : [word]));
    return [...words, ...args];
  }
  if (repository === 'mcr.microsoft.com/azure-storage/azurite' && args[0] === 'azurite-blob') {
    // Any address of the pod, which has only this one.
    const own = args.slice(1).map((word) => (word === '::' ? '127.0.0.1' : word));
    return [process.execPath, '--no-warnings', AZURITE, ...own];
  }
  throw new Error(`no program for ${image}`);
};
