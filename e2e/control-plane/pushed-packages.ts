// Packages in a registry on loopback: what a build of the checkout makes, held to the official CLI, and a
// stand-in for the older package.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type JsonObject, objectAt, stringAt } from '../../src/core/json.ts';
import { loadManifests } from '../../src/manifests/load.ts';
import { parseYaml, printYamlStream } from '../../src/manifests/yaml.ts';
import { gunzip } from '../../src/package/oci/gzip.ts';
import { image } from '../../src/package/oci/image.ts';
import type { RegistryClient } from '../../src/package/registry/client.ts';
import { pushContent } from '../../src/package/registry/push.ts';
import { packageLayer } from '../../src/package/runtime/runtime-image.ts';
import { readPackage } from '../../test/support/package-reader.ts';
import { Complaint } from './complaint.ts';
import { projectFile } from './folders.ts';
import { buildTool } from './tools.ts';

type Say = (line: string) => void;

/** Builds for the registry, pushes, and gives the manifests that install it. */
export function publish(host: string, folder: string): readonly JsonObject[] {
  const output = join(folder, 'build');
  const registry = ['--registry', `${host}/hops-ops`];
  const run = (...args: readonly string[]) => {
    const done = spawnSync(process.execPath, [projectFile('bin', 'celld-stack'), ...args], {
      encoding: 'utf8',
    });
    if (done.status !== 0) throw new Complaint(`celld-stack ${args[0]} failed`, done.stderr);
    return done.stdout;
  };
  run('build', ...registry, '--output', output);
  run('push', ...registry, '--output', output);
  const text = run('install-manifests', ...registry);
  return parseYaml(text, 'install-manifests').documents.map(({ value }) => value as JsonObject);
}

/** The official CLI unpacks the files of the build and what was pushed, and pushes the files itself. */
export async function officialToolsRead(
  client: RegistryClient,
  host: string,
  folder: string,
  say: Say,
): Promise<void> {
  const program = buildTool('crossplane-cli', say);
  const build = join(folder, 'build');
  const cli = (...args: readonly string[]) => {
    const done = spawnSync(program, ['xpkg', ...args], { encoding: 'utf8', cwd: folder });
    assert.equal(done.status, 0, `crossplane xpkg ${args.join(' ')}: ${done.stderr}`);
  };
  const extracted = (...args: readonly string[]) => {
    const output = join(folder, 'extracted.gz');
    cli('extract', ...args, '--output', output);
    return Buffer.from(gunzip(readFileSync(output))).toString('utf8');
  };
  const files = readdirSync(build).filter((name) => name.endsWith('.xpkg'));
  const [configuration = '', ...functions] = files.sort().map((name) => join(build, name));
  for (const [file, pushed] of [
    [configuration, 'celld-stack'],
    [functions[0] ?? '', 'function-celld-stack'],
  ] as const) {
    const text = extracted('--from-xpkg', file);
    assert.match(text, /^apiVersion: meta\.pkg\.crossplane\.io\/v1$/mu);
    assert.equal(extracted(`${host}/hops-ops/${pushed}:v0.1.0`), text);
  }
  cli('push', '--package-files', functions.join(','), `${host}/official/function:v0.1.0`);
  const read = await readPackage(client, 'official/function', 'v0.1.0');
  assert.deepEqual(
    read.documents.map((one) => stringAt(one, 'kind')),
    ['Function'],
  );
  say('packages: the official CLI reads and pushes the files of the build');
}

/** The manifest of a kind; the Configuration without the resolution of its dependencies. */
export function objectFor(manifests: readonly JsonObject[], kind: string): JsonObject {
  const found = manifests.find((one) => one['kind'] === kind);
  if (found === undefined) throw new Error(`install-manifests prints no ${kind}`);
  const spec = objectAt(found, 'spec');
  return kind === 'Configuration'
    ? { ...found, spec: { ...spec, skipDependencyResolution: true } }
    : found;
}

/** The older package: the same XRD, and a Composition of the same name with the older function. */
export async function pushOlder(client: RegistryClient): Promise<void> {
  const folder = projectFile('apis', 'celldstacks');
  const apis = loadManifests([join(folder, 'definition.yaml'), join(folder, 'composition.yaml')]);
  const objects = apis.map(({ object }) =>
    object.kind !== 'Composition'
      ? object
      : {
          ...object,
          spec: {
            ...objectAt(object, 'spec'),
            pipeline: [{ step: 'render', functionRef: { name: 'older-celld-stack-render' } }],
          },
        },
  );
  const metadata = {
    apiVersion: 'meta.pkg.crossplane.io/v1',
    kind: 'Configuration',
    metadata: { name: 'celld-stack' },
    spec: { crossplane: { version: '>=v2.0.0-0' } },
  };
  const text = printYamlStream([metadata, ...objects]);
  const content = image({ layers: [await packageLayer('package.yaml', text, 'base')] });
  await pushContent({ client, repository: 'hops-ops/older', mountFrom: [] }, content, 'v0.0.9');
}
