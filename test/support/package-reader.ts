// Reads packages from a registry by the rules of Crossplane's own reader: the manifest, or of an index the
// child for linux/amd64; the layer annotated as base, or the whole image; package.yaml in it, of at most
// 200 MB, in a stream with one metadata object first.
import assert from 'node:assert/strict';
import { type Json, listAt, stringAt } from '../../src/core/json.ts';
import { parseYaml } from '../../src/manifests/yaml.ts';
import { gunzip } from '../../src/package/oci/gzip.ts';
import { readTar } from '../../src/package/oci/tar.ts';
import type { RegistryClient } from '../../src/package/registry/client.ts';
import { fetchBlob, fetchManifest, findDigest } from '../../src/package/registry/pull.ts';

const MOST_BYTES = 200 * 1024 * 1024;

export interface PackageRead {
  readonly digest: string;
  readonly documents: readonly Json[];
}

/** The package under a tag. Fails the test where Crossplane would not read it. */
export async function readPackage(
  client: RegistryClient,
  repository: string,
  tag: string,
): Promise<PackageRead> {
  const digest = await findDigest(client, repository, tag);
  assert.ok(digest !== undefined, `no ${repository}:${tag}`);
  const manifest = await platformManifest(client, repository, digest);
  const layers = listAt(manifest, 'layers');
  const base = layers.filter(
    (one) => stringAt(one, 'annotations', 'io.crossplane.xpkg') === 'base',
  );
  assert.equal(base.length, 1, 'exactly one layer is annotated as base');
  const config = JSON.parse(
    Buffer.from(
      await fetchBlob(client, repository, stringAt(manifest, 'config', 'digest') ?? ''),
    ).toString(),
  ) as Json;
  const label = stringAt(
    config,
    'config',
    'Labels',
    `io.crossplane.xpkg:${stringAt(base[0], 'digest')}`,
  );
  assert.equal(label, 'base', 'the label says the same as the annotation');
  const archive = gunzip(await fetchBlob(client, repository, stringAt(base[0], 'digest') ?? ''));
  const files = readTar(archive);
  assert.deepEqual(
    files.map(({ path, mode }) => ({ path, mode })),
    [{ path: 'package.yaml', mode: 0o644 }],
  );
  const text = Buffer.from(files[0]?.content ?? '').toString('utf8');
  assert.ok(text.length <= MOST_BYTES);
  const { documents, problems } = parseYaml(text, 'package.yaml');
  assert.deepEqual(problems, []);
  const metadata = documents.filter(({ value }) =>
    stringAt(value, 'apiVersion')?.startsWith('meta.pkg.crossplane.io/'),
  );
  assert.equal(metadata.length, 1, 'exactly one metadata object');
  return { digest, documents: documents.map(({ value }) => value) };
}

async function platformManifest(
  client: RegistryClient,
  repository: string,
  digest: string,
): Promise<Json> {
  const { document } = await fetchManifest(client, repository, digest);
  const children = listAt(document, 'manifests');
  if (children.length === 0) return document;
  const child = children.find(
    (one) =>
      stringAt(one, 'platform', 'os') === 'linux' &&
      stringAt(one, 'platform', 'architecture') === 'amd64',
  );
  assert.ok(child !== undefined, 'the index has a child for linux/amd64');
  return (await fetchManifest(client, repository, stringAt(child, 'digest') ?? '')).document;
}
