// bootstrap on Google Cloud Storage, by a small server of our own. The emulator is in real-stores.
import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { gcsAccess } from '../../src/bootstrap/gcs-credentials.ts';
import { gcsSettings } from '../../src/bootstrap/gcs-settings.ts';
import { PLACEHOLDER } from '../../src/bootstrap/placeholder.ts';
import type { Problem } from '../../src/core/problem.ts';
import { APPLICATION, runBootstrap } from '../support/fleet-store.ts';
import { type GcsServer, type GcsServerOptions, startGcsServer } from '../support/gcs-server.ts';
import { environmentFor, loopbackServer } from '../support/loopback-server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

async function started(
  test: TestContext,
  options: Partial<GcsServerOptions> = {},
): Promise<GcsServer> {
  const server = await startGcsServer({ bucket: 'fleet', ...options });
  test.after(() => server.stop());
  return server;
}

/** The key of an emulator, as celld's library reads it. */
function environmentOf(server: GcsServer, bucket = 'gs://fleet/p') {
  return {
    CELLD_BUCKET: bucket,
    GOOGLE_SERVICE_ACCOUNT_KEY: JSON.stringify({
      gcs_base_url: server.url,
      disable_oauth: true,
      client_email: '',
      private_key: '',
      private_key_id: '',
    }),
  };
}

function contents(server: GcsServer): Readonly<Record<string, string>> {
  return Object.fromEntries([...server.objects].map(([key, { body }]) => [key, body]));
}

const WHOLE = Object.fromEntries(PLACEHOLDER.map(({ key, body }) => [`p/${key}`, body]));

describe('bootstrap() on GCS', () => {
  it('writes the placeholder under its prefix, and leaves nothing else', async (t) => {
    const server = await started(t);
    assert.deepEqual(await runBootstrap(environmentOf(server)), {
      outcome: 'placeholder',
      log: ['create-only and compare-and-swap writes hold'],
    });
    assert.deepEqual(contents(server), WHOLE);
  });

  it('only reads a bucket that has an application', async (t) => {
    const server = await started(t);
    for (const [key, body] of Object.entries(APPLICATION)) server.put(`p/${key}`, body);
    const before = [...server.objects];
    for (let i = 0; i < 5; i++) {
      assert.equal((await runBootstrap(environmentOf(server))).outcome, 'deployed');
    }
    assert.deepEqual([...server.objects], before);
  });

  it('lets ten racing processes write one placeholder between them', async (t) => {
    const server = await started(t);
    const runs = await Promise.all(
      Array.from({ length: 10 }, () => runBootstrap(environmentOf(server))),
    );
    assert.deepEqual(runs.map(({ outcome }) => outcome).sort(), [
      ...Array(9).fill('deployed'),
      'placeholder',
    ]);
    assert.deepEqual(contents(server), WHOLE);
  });

  it('explains a store that does not look at the condition', async (t) => {
    const server = await started(t, { lies: true });
    const { outcome } = await runBootstrap(environmentOf(server));
    assert.equal((outcome as Problem).code, 'STORE_CONDITIONAL_WRITES');
    assert.deepEqual(contents(server), {});
  });

  it('names a bucket that is not there', async (t) => {
    const server = await started(t);
    const { outcome } = await runBootstrap(environmentOf(server, 'gs://other'));
    assert.deepEqual(outcome, {
      code: 'STORE_BUCKET_MISSING',
      path: 'gs://other',
      message: `there is no bucket other at ${server.url}`,
      hint: 'create the bucket, or correct CELLD_BUCKET',
    });
  });

  const answers: readonly {
    readonly why: string;
    readonly whim: GcsServerOptions['whim'];
    readonly outcome: object;
  }[] = [
    {
      why: 'a permission that is missing to list',
      whim: ({ key }) => (key === '' ? [403, 'no access'] : undefined),
      outcome: {
        code: 'STORE_PERMISSION',
        path: 'gs://fleet/p',
        message: 'no permission: storage.objects.list on bucket fleet is missing: no access',
        hint: 'give GOOGLE_SERVICE_ACCOUNT_KEY the role Storage Object Admin (roles/storage.objectAdmin) on the bucket',
      },
    },
    {
      why: 'a permission that is missing to delete, before anything is written',
      whim: ({ method }) => (method === 'DELETE' ? [403, 'no access'] : undefined),
      outcome: {
        code: 'STORE_PERMISSION',
        path: 'gs://fleet/p',
        message: 'no permission: storage.objects.delete on bucket fleet is missing: no access',
        hint: 'give GOOGLE_SERVICE_ACCOUNT_KEY the role Storage Object Admin (roles/storage.objectAdmin) on the bucket',
      },
    },
    {
      why: 'credentials that are not accepted',
      whim: () => [401, 'Invalid Credentials'],
      outcome: {
        code: 'STORE_CREDENTIALS',
        path: 'gs://fleet/p',
        message:
          'credentials (GOOGLE_SERVICE_ACCOUNT_KEY): Google does not accept them: Invalid Credentials',
      },
    },
  ];
  for (const { why, whim, outcome } of answers) {
    it(`names ${why}`, async (t) => {
      const server = await started(t, whim === undefined ? {} : { whim });
      assert.deepEqual((await runBootstrap(environmentOf(server))).outcome, outcome);
      assert.deepEqual(contents(server), {});
    });
  }

  it('waits for a store that is busy', async (t) => {
    let count = 0;
    const server = await started(t, {
      whim: () => (++count < 3 ? [503, 'backend error'] : undefined),
    });
    const run = await runBootstrap(environmentOf(server));
    assert.equal(run.outcome, 'placeholder');
    assert.match(run.log[0] ?? '', /: answers HTTP 503; next try in/u);
  });
});

describe('gcsAccess()', () => {
  const files: readonly (readonly [string, string, string])[] = [
    [
      'workload identity federation, which celld does not read',
      '{"type":"external_account","audience":"//iam"}',
      'its type is "external_account": celld reads "service_account" and "authorized_user"',
    ],
    ['a file that is no JSON, without showing it', 'private: hush', 'it is no JSON object'],
    [
      'a key without its private half',
      '{"type":"service_account","client_email":"a@b"}',
      'it has no private_key',
    ],
  ];
  for (const [why, content, message] of files) {
    it(`refuses ${why}`, async (t) => {
      const path = `${temporaryFolder(t, { 'adc.json': content })}/adc.json`;
      const { outcome } = await runBootstrap({
        CELLD_BUCKET: 'gs://fleet',
        GOOGLE_APPLICATION_CREDENTIALS: path,
      });
      assert.equal((outcome as Problem).code, 'STORE_CREDENTIALS');
      assert.equal(
        (outcome as Problem).message,
        `credentials (GOOGLE_APPLICATION_CREDENTIALS): ${message}`,
      );
    });
  }

  it('asks the metadata server where no variable names credentials', async (t) => {
    const asked: string[] = [];
    const metadata = await loopbackServer(t, ({ headers, path }) => {
      asked.push(`${headers['metadata-flavor']} ${path.replace(/\?.*/u, '')}`);
      return {
        headers: { 'metadata-flavor': 'Google' },
        body: '{"access_token":"from-the-machine","expires_in":3600,"token_type":"Bearer"}',
      };
    });
    environmentFor(t, { GCE_METADATA_HOST: new URL(metadata).host });
    const { client, url } = gcsAccess(
      gcsSettings({ kind: 'gs', bucket: 'fleet', prefix: '' }, { HOME: '/nowhere' }),
    );
    assert.equal(url, 'https://storage.googleapis.com');
    assert.equal((await client?.getAccessToken())?.token, 'from-the-machine');
    assert.deepEqual(asked, ['Google /computeMetadata/v1/instance/service-accounts/default/token']);
  });
});
