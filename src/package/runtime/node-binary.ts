// Node.js for a platform, from the npm package that distributes it.
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { refuse } from '../../core/problem.ts';
import { gunzip } from '../oci/gzip.ts';
import { readTar } from '../oci/tar.ts';
import { type Architecture, NODE_PINS, NODE_VERSION } from './pins.ts';
import { runTool } from './tool.ts';

export interface NodeFiles {
  readonly binary: Uint8Array;
  readonly license: Uint8Array;
}

/**
 * Fetches the pinned Node.js through npm, which knows the registry and keeps what it fetched. Throws a
 * BUILD_TOOL problem when npm cannot, BASE_UNUSABLE when what came is not what is pinned.
 */
export async function fetchNode(architecture: Architecture): Promise<NodeFiles> {
  const { name, integrity } = NODE_PINS[architecture];
  const folder = mkdtempSync(join(tmpdir(), 'celld-stack-node-'));
  try {
    const wanted = `${name}@${NODE_VERSION}`;
    await runTool(
      'npm',
      ['pack', wanted, '--ignore-scripts', '--prefer-offline', '--loglevel=error'],
      `fetch Node.js for ${architecture} (${wanted} from the npm registry)`,
      folder,
    );
    const [file] = readdirSync(folder);
    const bytes = readFileSync(join(folder, file ?? ''));
    const found = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
    if (found !== integrity) {
      refuse('BASE_UNUSABLE', `${wanted} is ${found}: expected ${integrity}`);
    }
    return filesOf(bytes, wanted);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function filesOf(packed: Uint8Array, wanted: string): NodeFiles {
  const files = new Map(readTar(gunzip(packed)).map((entry) => [entry.path, entry.content]));
  const [binary, license] = [files.get('package/bin/node'), files.get('package/LICENSE')];
  if (binary === undefined || license === undefined) {
    return refuse('BASE_UNUSABLE', `${wanted} holds no bin/node or no LICENSE`);
  }
  return { binary, license };
}
