import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { afterEach, describe, it } from 'node:test';
import { ProblemError } from '../../../src/core/problem.ts';
import { type Image, image, imageIndex, layer } from '../../../src/package/oci/image.ts';
import { fileEntry } from '../../../src/package/oci/tar.ts';
import { connect } from '../../../src/package/registry/client.ts';
import type { Credentials } from '../../../src/package/registry/docker-config.ts';
import { fetchBlob, fetchManifest, findDigest } from '../../../src/package/registry/pull.ts';
import { pushContent } from '../../../src/package/registry/push.ts';
import {
  type StrictOptions,
  type StrictRegistry,
  strictRegistry,
} from '../../support/strict-registry.ts';

const open: StrictRegistry[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});

async function registry(options: StrictOptions = {}): Promise<StrictRegistry> {
  const made = await strictRegistry(options);
  open.push(made);
  return made;
}

const LAYER = layer([fileEntry('random', randomBytes(300_000))]);

async function sample(architecture = 'amd64'): Promise<Image> {
  const packaged = await layer([fileEntry('package.yaml', `# ${architecture}\n`)], 'base');
  return image({ layers: [await LAYER, packaged], platform: { os: 'linux', architecture } });
}

function client({ host }: StrictRegistry, credentials?: Credentials) {
  return connect(host, { patience: 1, credentials: async () => credentials });
}

async function target(strict: StrictRegistry, repository = 'a/b', mountFrom: string[] = []) {
  return { client: await client(strict), repository, mountFrom, partSize: 100_000 };
}

function problem(code: string, message: RegExp) {
  return (error: unknown) => {
    assert.ok(error instanceof ProblemError, String(error));
    assert.equal(error.problems[0]?.code, code);
    assert.match(error.problems[0]?.message ?? '', message);
    return true;
  };
}

describe('pushContent()', () => {
  it('puts an index and everything behind it under a tag, in parts', async () => {
    const strict = await registry();
    const index = imageIndex([await sample('amd64'), await sample('arm64')]);
    const pushed = await pushContent(await target(strict), index, 'v1');
    const reader = await client(strict);
    assert.equal(await findDigest(reader, 'a/b', 'v1'), index.manifest.digest);
    const blobs = new Map(
      index.images
        .flatMap((one) => [...one.layers.map((part) => part.blob), one.config])
        .map((one) => [one.digest, one]),
    );
    assert.equal(
      pushed.sent,
      [...blobs.values()].reduce((sum, one) => sum + one.bytes.length, 0),
    );
    for (const { digest, bytes } of blobs.values()) {
      assert.deepEqual(await fetchBlob(reader, 'a/b', digest), Buffer.from(bytes));
    }
    assert.deepEqual(
      (await fetchManifest(reader, 'a/b', 'v1')).bytes,
      Buffer.from(index.manifest.bytes),
    );
    assert.equal(strict.requests.filter(({ method }) => method === 'PATCH').length >= 4, true);
  });

  it('sends nothing twice', async () => {
    const strict = await registry();
    const content = await sample();
    await pushContent(await target(strict), content, 'v1');
    const again = await pushContent(await target(strict), content, 'v2');
    assert.equal(again.sent, 0);
  });

  it('mounts what another repository of the registry has', async () => {
    const strict = await registry();
    const content = await sample();
    const first = await pushContent(await target(strict), content, 'v1');
    const second = await pushContent(await target(strict, 'c/d', ['a/b']), content, 'v1');
    assert.deepEqual(second, { sent: 0, kept: first.sent });
    assert.equal(await findDigest(await client(strict), 'c/d', 'v1'), content.manifest.digest);
  });

  it('goes on after the last byte that arrived when an upload is cut', async () => {
    const strict = await registry();
    const content = await sample();
    const aim = { ...(await target(strict)), partSize: 1_000_000 };
    strict.cutNextUpload(120_000);
    await pushContent(aim, content, 'v1');
    const large = (await LAYER).blob;
    assert.deepEqual(
      await fetchBlob(await client(strict), 'a/b', large.digest),
      Buffer.from(large.bytes),
    );
    const asked = strict.requests.filter(({ method }) => method === 'GET');
    assert.equal(asked.filter(({ path }) => path.includes('/uploads/')).length, 1);
  });

  for (const [method, path] of [
    ['HEAD', /blobs/u],
    ['POST', /uploads/u],
    ['PATCH', /uploads/u],
    ['PUT', /uploads/u],
    ['PUT', /manifests/u],
  ] as const) {
    it(`gets over a registry that answers ${method} ${path.source} with 500 twice`, async () => {
      const strict = await registry();
      const content = await sample();
      strict.failNext(2, method, path, 500);
      await pushContent(await target(strict), content, 'v1');
      assert.equal(await findDigest(await client(strict), 'a/b', 'v1'), content.manifest.digest);
    });
  }

  it('says what a registry answered that keeps failing, and leaves no tag', async () => {
    const strict = await registry();
    strict.failNext(1000, 'PATCH', /uploads/u, 507);
    await assert.rejects(
      pushContent(await target(strict), await sample(), 'v1'),
      problem('REGISTRY_REFUSED', /answered PATCH .* with 507: TOLD_TO_FAIL/u),
    );
    assert.equal(await findDigest(await client(strict), 'a/b', 'v1'), undefined);
  });
});

describe('connect()', () => {
  it('gets a token for each repository with the credentials it found', async () => {
    const strict = await registry({ user: 'me', password: 'secret' });
    const credentials: Credentials = { kind: 'password', user: 'me', password: 'secret' };
    const reader = await client(strict, credentials);
    const content = await sample();
    await pushContent({ client: reader, repository: 'a/b', mountFrom: ['x/y'] }, content, 'v1');
    assert.equal(await findDigest(reader, 'a/b', 'v1'), content.manifest.digest);
  });

  it('names the registry, not the password, when the credentials are wrong', async () => {
    const strict = await registry({ user: 'me', password: 'secret' });
    const reader = await client(strict, { kind: 'password', user: 'me', password: 'wrong' });
    await assert.rejects(findDigest(reader, 'a/b', 'v1'), (error) => {
      problem('REGISTRY_AUTH', /no token for repository:a\/b:pull: it answered 401$/u)(error);
      assert.doesNotMatch(String(error), /wrong/u);
      return true;
    });
  });

  it('says so when there are no credentials', async () => {
    const strict = await registry({ user: 'me', password: 'secret' });
    await assert.rejects(
      findDigest(await client(strict), 'a/b', 'v1'),
      problem('REGISTRY_AUTH', /gives nobody no token/u),
    );
  });

  it('says that nothing answers', async () => {
    const strict = await registry();
    await strict.close();
    open.splice(0);
    await assert.rejects(
      client(strict),
      problem('REGISTRY_UNREACHABLE', /no registry answers at 127/u),
    );
  });
});

describe('fetchBlob()', () => {
  it('refuses what is not behind its digest', async () => {
    const strict = await registry();
    await assert.rejects(
      fetchBlob(await client(strict), 'a/b', `sha256:${'0'.repeat(64)}`),
      problem('REGISTRY_REFUSED', /404: BLOB_UNKNOWN/u),
    );
  });
});
