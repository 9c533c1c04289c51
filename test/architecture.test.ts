// Who may import whom, as data. The table is ARCHITECTURE.md's; a new arrow is a decision.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, it } from 'node:test';
import { projectFile } from '../src/cli/project.ts';

/** A layer and the layers it may import, beside itself. */
const MAY_IMPORT: { readonly [layer: string]: readonly string[] } = {
  core: [],
  celld: ['core'],
  api: ['core'],
  compose: ['core', 'api', 'celld'],
  manifests: ['core'],
  schema: ['core', 'api', 'compose'],
  crossplane: ['core', 'api', 'compose', 'schema'],
  bootstrap: ['core'],
  package: ['core', 'api', 'celld', 'compose', 'crossplane', 'manifests', 'schema'],
  server: ['core', 'api', 'compose', 'crossplane'],
  cli: [
    'core',
    'api',
    'bootstrap',
    'celld',
    'compose',
    'crossplane',
    'manifests',
    'package',
    'schema',
    'server',
  ],
};

/** Layers that see plain values only: no Node module, no package, no clock, no environment. */
const PURE = ['core', 'celld', 'api', 'compose'];

/** Packages with one home. */
const ONE_IMPORTER: { readonly [name: string]: string } = {
  yaml: 'src/manifests/yaml.ts',
  '@crossplane-org/function-sdk-typescript': 'src/crossplane/protocol.ts',
};

const files = readdirSync(projectFile('src'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => {
    const path = `src/${name.replaceAll('\\', '/')}`;
    const text = readFileSync(projectFile(path), 'utf8');
    const imports = [...text.matchAll(/(?:^|\n)(?:import|export)\b[^;]*?from '([^']+)'/gu)].map(
      (m) => m[1] ?? '',
    );
    const lazy = [...text.matchAll(/\bimport\('([^']+)'\)/gu)].map((m) => m[1] ?? '');
    return { path, text, layer: path.split('/')[1] ?? '', imports: [...imports, ...lazy] };
  });

describe('src/', () => {
  it('imports point inwards only', () => {
    const wrong = files.flatMap(({ path, layer, imports }) =>
      imports
        .filter((name) => name.startsWith('.'))
        .map((name) => normalize(join(dirname(path), name)).split('/')[1] ?? '')
        .filter((target) => target !== layer && !MAY_IMPORT[layer]?.includes(target))
        .map((target) => `${path} (${layer}) imports ${target}`),
    );
    assert.deepEqual(wrong, []);
  });

  it('the pure layers import no Node module, no package, and read no clock, chance or environment', () => {
    const wrong = files
      .filter(({ layer }) => PURE.includes(layer))
      .flatMap(({ path, text, imports }) => [
        ...imports.filter((name) => !name.startsWith('.')).map((name) => `${path} imports ${name}`),
        ...[/\bDate\b/u, /\bMath\.random\b/u, /\bprocess\./u, /\bconsole\./u, /\bglobalThis\b/u]
          .filter((pattern) => pattern.test(text.replaceAll(/\/\/.*|\/\*[\s\S]*?\*\//gu, '')))
          .map((pattern) => `${path} uses ${pattern.source}`),
      ]);
    assert.deepEqual(wrong, []);
  });

  it('a package that shapes data has one importer', () => {
    const wrong = files.flatMap(({ path, imports }) =>
      imports
        .filter((name) => ONE_IMPORTER[name] !== undefined && ONE_IMPORTER[name] !== path)
        .map((name) => `${path} imports ${name}`),
    );
    assert.deepEqual(wrong, []);
  });

  it('files stay small', () => {
    const long = files
      .filter(({ path }) => !path.includes('.gen.'))
      .filter(({ text }) => text.split('\n').length > 300)
      .map(({ path }) => path);
    assert.deepEqual(long, []);
  });

  it('every folder has a layer', () => {
    assert.deepEqual(
      [...new Set(files.map(({ layer }) => layer))].filter(
        (layer) => MAY_IMPORT[layer] === undefined,
      ),
      [],
    );
  });
});
