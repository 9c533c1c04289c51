// The program as a bundle, without what it was told about its release: that stands in a file of its own,
// the stamp, so that a new version with the same code is a new stamp and nothing else.
//
// The clients of object stores are most of the code, and only bootstrap has use for one of them. They are
// files beside the program, loaded when they are wanted: in one file they would triple the time in which
// the function starts.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Metafile, Plugin } from 'esbuild';
import type { Artifacts } from '../../compose/artifacts.ts';
import { messageOf, oneLine, refuse } from '../../core/problem.ts';
import type { Component } from './base.ts';

export const PROGRAM_FILE = 'celld-stack.mjs';
export const STAMP_FILE = 'stamp.mjs';

/** The sources that the stamp stands for. */
const STAMPED = /\/src\/(?:compose\/artifacts|cli\/release)\.ts$/u;

export interface Bundle {
  /** The files of the program by name, sorted; PROGRAM_FILE is the one that starts. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** The packages that are in it. */
  readonly components: readonly Component[];
  /** Their license texts in one. */
  readonly licenses: string;
}

/** Bundles the commands that a cluster runs. Throws a BUILD_TOOL problem when its sources do not bundle. */
export async function bundleProgram(root: string): Promise<Bundle> {
  const { build } = await import('esbuild');
  try {
    const { outputFiles, metafile } = await build({
      absWorkingDir: root,
      entryPoints: { [basename(PROGRAM_FILE, '.mjs')]: 'src/cli/start-image.ts' },
      outdir: '.',
      outExtension: { '.js': '.mjs' },
      splitting: true,
      bundle: true,
      minify: true,
      write: false,
      metafile: true,
      platform: 'node',
      target: 'node24',
      format: 'esm',
      legalComments: 'none',
      logLevel: 'silent',
      charset: 'utf8',
      plugins: [stampPlugin()],
      // Packages in CommonJS form ask for Node's own modules by require, which a module does not have.
      banner: {
        js: "import{createRequire as nodeRequire}from'node:module';const require=nodeRequire(import.meta.url);",
      },
    });
    const packages = packagesOf(metafile, root);
    return {
      files: new Map(
        outputFiles
          .map(({ path, contents }): [string, Uint8Array] => [basename(path), contents])
          .sort(([a], [b]) => (a < b ? -1 : 1)),
      ),
      components: packages.map(({ component }) => component),
      licenses: packages.map(licenseText).join('\n'),
    };
  } catch (error) {
    return refuse('BUILD_TOOL', `cannot bundle the program: ${oneLine(messageOf(error))}`);
  }
}

function stampPlugin(): Plugin {
  return {
    name: 'stamp',
    setup: ({ onResolve }) => {
      onResolve({ filter: /\/(?:artifacts|release)\.ts$/ }, ({ path, importer }) =>
        STAMPED.test(join(dirname(importer), path))
          ? { path: `./${STAMP_FILE}`, external: true }
          : undefined,
      );
    },
  };
}

/** What a stamp says. */
export interface Stamp {
  readonly version: string;
  readonly commit: string;
  readonly artifacts: Artifacts;
}

/** The stamp as a module with the exports of the files it stands for. */
export function stampModule({ version, commit, artifacts }: Stamp): string {
  return [
    `export const ARTIFACTS = ${JSON.stringify(artifacts, null, 2)};`,
    `export const release = () => (${JSON.stringify({ version, commit })});`,
    '',
  ].join('\n');
}

interface BundledPackage {
  readonly component: Component;
  readonly folder: string;
}

function packagesOf(metafile: Metafile, root: string): BundledPackage[] {
  const inputs = Object.values(metafile.outputs).flatMap((output) =>
    Object.entries(output.inputs).filter(([, { bytesInOutput }]) => bytesInOutput > 0),
  );
  const folders = inputs.flatMap(([path]) => {
    const match = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/u.exec(path);
    return match === null ? [] : [match[0]];
  });
  return [...new Set(folders)].sort().map((folder) => {
    const manifest = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as {
      name: string;
      version: string;
      license?: string;
    };
    const { name, version, license } = manifest;
    return {
      folder: join(root, folder),
      component: {
        name,
        version,
        purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
        ...(typeof license === 'string' ? { license } : {}),
      },
    };
  });
}

function licenseText({ component, folder }: BundledPackage): string {
  const title = `${component.name} ${component.version} (${component.license ?? 'see below'})`;
  const file = existsSync(folder)
    ? readdirSync(folder).find((name) => /^licen[cs]e(?:\.|$)/iu.test(name))
    : undefined;
  const text = file === undefined ? '' : readFileSync(join(folder, file), 'utf8').trim();
  return `${title}\n${'-'.repeat(title.length)}\n${text}\n`;
}
