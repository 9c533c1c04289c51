// bootstrap on stores that others have written: Versity's S3 gateway, which checks signatures and holds
// conditional writes under a lock, and the emulator of Google Cloud Storage. Run by `make test-stores`.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openStore } from '../../src/bootstrap/open-store.ts';
import { PLACEHOLDER } from '../../src/bootstrap/placeholder.ts';
import { readSettings } from '../../src/bootstrap/settings.ts';
import { NEWEST_VERSION } from '../../src/celld/releases.ts';
import { projectFile } from '../../src/cli/project.ts';
import type { Problem } from '../../src/core/problem.ts';
import { APPLICATION, PLACEHOLDER_KEYS, runBootstrap } from '../support/fleet-store.ts';
import { freePorts } from '../support/free-ports.ts';
import { renderChart } from '../support/helm.ts';
import {
  GATEWAY_KEYS,
  gcsEmulator,
  type RealStore,
  versityGateway,
} from '../support/real-store.ts';
import { startNode } from '../support/rendered-fleet.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

interface Bucket {
  readonly store: RealStore;
  readonly environment: Readonly<Record<string, string>>;
  /** Every object below the prefix, with all that could change of it. */
  readonly snapshot: () => Promise<readonly (readonly string[])[]>;
}

async function s3Bucket(test: TestContext, started = true): Promise<Bucket> {
  const folder = temporaryFolder(test, {});
  const store = await versityGateway(folder, 'fleet');
  test.after(() => store.stop());
  if (started) await store.start();
  const root = join(folder, 'fleet', 'p');
  return {
    store,
    environment: { CELLD_BUCKET: 's3://fleet/p', S3_ENDPOINT: store.url, ...GATEWAY_KEYS },
    snapshot: async () =>
      readdirSync(root, { recursive: true, encoding: 'utf8' })
        .filter((name) => statSync(join(root, name)).isFile())
        .sort()
        .map((name) => {
          const file = join(root, name);
          return [name, readFileSync(file, 'utf8'), String(statSync(file).mtimeMs)];
        }),
  };
}

async function gcsBucket(test: TestContext): Promise<Bucket> {
  const store = await gcsEmulator();
  test.after(() => store.stop());
  await store.start();
  const api = `${store.url}/storage/v1/b`;
  const body = '{"name":"fleet"}';
  await fetch(api, { method: 'POST', body, headers: { 'content-type': 'application/json' } });
  const key = { gcs_base_url: store.url, disable_oauth: true, client_email: '', private_key: '' };
  return {
    store,
    environment: {
      CELLD_BUCKET: 'gs://fleet/p',
      GOOGLE_SERVICE_ACCOUNT_KEY: JSON.stringify(key),
    },
    snapshot: async () => {
      const answer = await fetch(`${api}/fleet/o`);
      const { items = [] } = (await answer.json()) as {
        items?: readonly { name: string; generation: string; md5Hash: string; updated: string }[];
      };
      return items
        .map(({ name, md5Hash, generation, updated }) => [
          name.replace(/^p\//u, ''),
          md5Hash,
          generation,
          updated,
        ])
        .sort();
    },
  };
}

async function put(bucket: Bucket, objects: Readonly<Record<string, string>>): Promise<void> {
  const store = await openStore(readSettings(bucket.environment));
  for (const [key, body] of Object.entries(objects)) {
    assert.equal((await store.create(key, body)).done, true);
  }
  store.close();
}

const MAKES: readonly (readonly [string, (test: TestContext) => Promise<Bucket>])[] = [
  ['Versity S3 Gateway', s3Bucket],
  ['fake-gcs-server', gcsBucket],
];

for (const [make, bucketOf] of MAKES) {
  describe(`bootstrap() on ${make}`, () => {
    it('writes the placeholder once, and then only reads', async (t) => {
      const bucket = await bucketOf(t);
      assert.deepEqual(await runBootstrap(bucket.environment), {
        outcome: 'placeholder',
        log: ['create-only and compare-and-swap writes hold'],
      });
      const written = await bucket.snapshot();
      assert.deepEqual(
        written.map(([name]) => name),
        [...PLACEHOLDER_KEYS].sort(),
      );
      for (let i = 0; i < 1000; i++) {
        assert.equal((await runBootstrap(bucket.environment)).outcome, 'deployed');
      }
      assert.deepEqual(await bucket.snapshot(), written);
    });

    it('leaves a bucket that has an application as it is, with ten at once', async (t) => {
      const bucket = await bucketOf(t);
      await put(bucket, APPLICATION);
      const written = await bucket.snapshot();
      const runs = await Promise.all(
        Array.from({ length: 10 }, () => runBootstrap(bucket.environment)),
      );
      assert.deepEqual(
        runs.map(({ outcome }) => outcome),
        Array(10).fill('deployed'),
      );
      assert.deepEqual(await bucket.snapshot(), written);
    });

    it('completes what an earlier attempt left half done', async (t) => {
      const bucket = await bucketOf(t);
      const [module, , named] = PLACEHOLDER;
      assert.ok(module !== undefined && named !== undefined);
      await put(bucket, { [module.key]: module.body, [named.key]: named.body });
      assert.equal((await runBootstrap(bucket.environment)).outcome, 'placeholder');
      const names = (await bucket.snapshot()).map(([name]) => name);
      assert.deepEqual(names, [...PLACEHOLDER_KEYS].sort());
    });

    it('lets ten racing processes write one placeholder between them', async (t) => {
      const bucket = await bucketOf(t);
      const outputs = await Promise.all(
        Array.from({ length: 10 }, () => bootstrapProcess(bucket.environment)),
      );
      assert.deepEqual(outputs.sort(), [
        ...Array(9).fill('0 the fleet has a deployment, nothing was written\n'),
        '0 the placeholder is deployed until an application is\n',
      ]);
      const names = (await bucket.snapshot()).map(([name]) => name);
      assert.deepEqual(names, [...PLACEHOLDER_KEYS].sort());
    });

    it('names a bucket that is not there', async (t) => {
      const bucket = await bucketOf(t);
      const scheme = bucket.environment['CELLD_BUCKET']?.slice(0, 5);
      const { outcome } = await runBootstrap({
        ...bucket.environment,
        CELLD_BUCKET: `${scheme}nowhere`,
      });
      assert.equal((outcome as Problem).code, 'STORE_BUCKET_MISSING');
    });
  });
}

describe('bootstrap() on Versity S3 Gateway that says no', () => {
  const rows: readonly (readonly [string, object, string, string])[] = [
    [
      'a wrong secret key',
      { AWS_SECRET_ACCESS_KEY: 'wrong' },
      'STORE_CREDENTIALS',
      'credentials (AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY): the secret key does not fit the access key (SignatureDoesNotMatch)',
    ],
    [
      'a wrong access key',
      { AWS_ACCESS_KEY_ID: 'AKOTHER' },
      'STORE_CREDENTIALS',
      'credentials (AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY): the store does not know the access key (XAdminUserNotFound)',
    ],
    [
      'another region',
      { AWS_REGION: 'eu-west-1' },
      'STORE_ENDPOINT',
      'bucket fleet is in region us-east-1, not in eu-west-1',
    ],
  ];
  for (const [why, change, code, message] of rows) {
    it(`names ${why}`, async (t) => {
      const bucket = await s3Bucket(t);
      const { outcome } = await runBootstrap({ ...bucket.environment, ...change });
      assert.deepEqual([(outcome as Problem).code, (outcome as Problem).message], [code, message]);
    });
  }
});

describe('bootstrap() on a store that is down for ten seconds', () => {
  it('waits with a line for each try and goes on when it is back', async (t) => {
    const bucket = await s3Bucket(t, false);
    const running = runBootstrap(bucket.environment, {
      timeoutMs: 60_000,
      firstPauseMs: 500,
      longestPauseMs: 10_000,
    });
    await sleep(10_000);
    await bucket.store.start();
    const run = await running;
    assert.equal(run.outcome, 'placeholder');
    const waits = run.log.filter((line) => line.includes(': connection refused; next try in '));
    assert.ok(waits.length >= 3 && waits.length <= 12, run.log.join('\n'));
    assert.match(run.log.at(-1) ?? '', /^s3:\/\/fleet\/p: answered after \d+ s$/u);
  });

  it('goes on when the store goes away in the middle', async (t) => {
    const bucket = await s3Bucket(t);
    for (let round = 0; round < 5; round++) {
      const environment = { ...bucket.environment, CELLD_BUCKET: `fleet/round-${round}` };
      const running = runBootstrap(environment, { timeoutMs: 60_000 });
      await sleep(20 * round);
      await bucket.store.stop();
      await sleep(200);
      await bucket.store.start();
      assert.match(String((await running).outcome), /^(?:placeholder|deployed)$/u);
      assert.equal((await runBootstrap(environment)).outcome, 'deployed');
    }
  });
});

describe('a fleet as charts/celld renders it, on Versity S3 Gateway', () => {
  for (const tag of ['v0.3.0', NEWEST_VERSION]) {
    it(`of celld ${tag} takes its keys from a mounted credentials file`, async (t) => {
      const bucket = await s3Bucket(t);
      const [httpPort = 0, internalPort = 0] = await freePorts(2);
      const rendered = await renderChart({
        values: {
          image: { tag },
          server: { httpPort, internalPort },
          celld: { bucket: 's3://fleet/p', endpoint: bucket.store.url, region: 'us-east-1' },
          credentials: { sharedCredentialsSecret: 'aws', sharedCredentialsKey: 'config' },
          persistence: { enabled: false },
          probes: { readiness: { periodSeconds: 1 } },
          shutdown: { boundSeconds: 1, preStopSeconds: 0 },
        },
      });
      const file = `[default]\naws_access_key_id = ${GATEWAY_KEYS.AWS_ACCESS_KEY_ID}\naws_secret_access_key=${GATEWAY_KEYS.AWS_SECRET_ACCESS_KEY}\n`;
      const secret = {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name: 'aws' },
        data: { config: Buffer.from(file).toString('base64') },
      };
      const pod = startNode([...rendered, secret], 0, temporaryFolder(t, {}));
      t.after(() => pod.terminate());
      await pod.ready(20_000);
      const answer = await fetch(`http://127.0.0.1:${httpPort}/`);
      assert.deepEqual([answer.status, pod.exits], [503, ['bootstrap: 0']]);
      assert.equal((await pod.terminate()).code, 0);
    });
  }
});

function bootstrapProcess(environment: Readonly<Record<string, string>>): Promise<string> {
  return new Promise((resolve, reject) => {
    const program = [projectFile('build', 'src', 'cli', 'start.js'), 'bootstrap'];
    const child = spawn(process.execPath, ['--no-warnings', ...program], {
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { ...environment, CELLD_STACK_PLACEHOLDER: '1' },
    });
    let stdout = '';
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk;
    });
    child.on('error', reject).on('close', (code) => resolve(`${code} ${stdout}`));
  });
}
