import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { digestOf, hexOf } from '../../../src/package/oci/blob.ts';
import { image, imageIndex, layer } from '../../../src/package/oci/image.ts';
import { blobPath, layoutFiles } from '../../../src/package/oci/layout.ts';
import { fileEntry, packTar, readTar } from '../../../src/package/oci/tar.ts';
import { packXpkg, readDockerArchive } from '../../../src/package/oci/xpkg.ts';

const PACKAGE = [fileEntry('package.yaml', 'kind: Configuration\n')];

describe('image()', () => {
  it('marks a layer by an annotation and by a label of its compressed digest', async () => {
    const base = await layer(PACKAGE, 'base');
    const made = image({ layers: [base] });
    const archive = packTar(PACKAGE);
    assert.deepEqual(parse(made.config.bytes), {
      architecture: '',
      created: '1970-01-01T00:00:00Z',
      os: '',
      config: { Labels: { [`io.crossplane.xpkg:${base.blob.digest}`]: 'base' } },
      rootfs: { type: 'layers', diff_ids: [digestOf(archive)] },
      history: [{ created: '1970-01-01T00:00:00Z' }],
    });
    assert.deepEqual(parse(made.manifest.bytes), {
      schemaVersion: 2,
      mediaType: 'application/vnd.oci.image.manifest.v1+json',
      config: {
        mediaType: 'application/vnd.oci.image.config.v1+json',
        digest: digestOf(made.config.bytes),
        size: made.config.bytes.length,
      },
      layers: [
        {
          mediaType: 'application/vnd.oci.image.layer.v1.tar+gzip',
          digest: digestOf(base.blob.bytes),
          size: base.blob.bytes.length,
          annotations: { 'io.crossplane.xpkg': 'base' },
        },
      ],
    });
    assert.deepEqual(gunzipSync(base.blob.bytes), archive);
  });

  it('gives the same bytes each time', async () => {
    const make = async () => {
      const content = Buffer.alloc(5_000_000, 'abcdefg');
      const one = image({ layers: [await layer([fileEntry('big', content)])] });
      return Buffer.concat([one.manifest.bytes, one.config.bytes]).toString('hex');
    };
    assert.equal(await make(), await make());
  });
});

describe('imageIndex()', () => {
  it('names each image by its platform', async () => {
    const layers = [await layer(PACKAGE, 'base')];
    const images = ['amd64', 'arm64'].map((architecture) =>
      image({ layers, platform: { os: 'linux', architecture } }),
    );
    assert.deepEqual(parse(imageIndex(images).manifest.bytes), {
      schemaVersion: 2,
      mediaType: 'application/vnd.oci.image.index.v1+json',
      manifests: images.map((one) => ({
        mediaType: 'application/vnd.oci.image.manifest.v1+json',
        digest: digestOf(one.manifest.bytes),
        size: one.manifest.bytes.length,
        platform: one.platform,
      })),
    });
  });
});

describe('packXpkg()', () => {
  it('is a docker-save archive whose names are digests', async () => {
    const base = await layer(PACKAGE, 'base');
    const made = image({ layers: [base] });
    const files = new Map(readTar(packXpkg(made)).map((entry) => [entry.path, entry.content]));
    const name = `${hexOf(base.blob.digest)}.tar.gz`;
    assert.deepEqual([...files.keys()], [made.config.digest, name, 'manifest.json']);
    assert.deepEqual(parse(files.get('manifest.json') ?? new Uint8Array()), [
      { Config: made.config.digest, RepoTags: null, Layers: [name] },
    ]);
    assert.deepEqual(readDockerArchive(packXpkg(made)), {
      config: Buffer.from(made.config.bytes),
      layers: [Buffer.from(base.blob.bytes)],
    });
  });
});

describe('layoutFiles()', () => {
  it('holds every blob under its digest and names the index', async () => {
    const one = image({
      layers: [await layer(PACKAGE, 'base')],
      platform: { os: 'linux', architecture: 'amd64' },
    });
    const index = imageIndex([one]);
    const files = layoutFiles([{ name: 'v1.2.3', content: index }]);
    const blobs = [...files].filter(([path]) => path.startsWith('blobs/'));
    assert.deepEqual(
      blobs.map(([path]) => path),
      blobs.map(([, bytes]) => blobPath(digestOf(bytes))),
    );
    assert.equal(blobs.length, 4);
    assert.deepEqual(parse(files.get('index.json') ?? new Uint8Array()), {
      schemaVersion: 2,
      mediaType: 'application/vnd.oci.image.index.v1+json',
      manifests: [
        {
          mediaType: index.manifest.mediaType,
          digest: index.manifest.digest,
          size: index.manifest.bytes.length,
          annotations: { 'org.opencontainers.image.ref.name': 'v1.2.3' },
        },
      ],
    });
  });
});

function parse(bytes: Uint8Array): unknown {
  return JSON.parse(Buffer.from(bytes).toString('utf8'));
}
