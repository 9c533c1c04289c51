// bootstrap on a real Azurite, with the flags the chart gives it.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ContainerClient, StorageSharedKeyCredential } from '@azure/storage-blob';
import { PLACEHOLDER } from '../../src/bootstrap/placeholder.ts';
import { type Azurite, startAzurite } from '../support/azurite.ts';
import { APPLICATION, runBootstrap } from '../support/fleet-store.ts';
import '../support/cluster-dns.ts';

const ACCOUNT = 'devstoreaccount1';
const KEY =
  'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==';

function environmentOf(azurite: Azurite, container: string, more: object = {}) {
  return {
    CELLD_BUCKET: `az://${container}`,
    AZURE_STORAGE_USE_EMULATOR: 'true',
    AZURITE_BLOB_STORAGE_URL: azurite.url,
    ...more,
  };
}

function clientOf(azurite: Azurite, container: string): ContainerClient {
  return new ContainerClient(
    `${azurite.url}/${ACCOUNT}/${container}`,
    new StorageSharedKeyCredential(ACCOUNT, KEY),
    { keepAliveOptions: { enable: false } },
  );
}

/** Everything that could change in a container: names, contents, tags, times. */
async function snapshot(client: ContainerClient): Promise<readonly object[]> {
  const found = [];
  for await (const { name, properties } of client.listBlobsFlat()) {
    const body = (await client.getBlobClient(name).downloadToBuffer()).toString('utf8');
    found.push({ name, body, etag: properties.etag, modified: properties.lastModified });
  }
  return found;
}

const WHOLE = PLACEHOLDER.map(({ key, body }) => [key, body]).sort();

function contents(blobs: readonly object[]): readonly (readonly [string, string])[] {
  return (blobs as readonly { name: string; body: string }[])
    .map(({ name, body }): [string, string] => [name, body])
    .sort();
}

describe('bootstrap() on Azurite', () => {
  let azurite: Azurite;
  before(async () => {
    azurite = await startAzurite();
  });
  after(() => azurite.stop());

  it('creates the container and writes the placeholder, then only reads', async () => {
    const client = clientOf(azurite, 'empty');
    const first = await runBootstrap(environmentOf(azurite, 'empty'));
    assert.deepEqual(first, {
      outcome: 'placeholder',
      log: ['create-only and compare-and-swap writes hold'],
    });
    const written = await snapshot(client);
    assert.deepEqual(contents(written), WHOLE);
    for (let i = 0; i < 10; i++) {
      assert.equal((await runBootstrap(environmentOf(azurite, 'empty'))).outcome, 'deployed');
    }
    assert.deepEqual(await snapshot(client), written);
  });

  it('leaves a container that has an application as it is, bit for bit', async () => {
    const client = clientOf(azurite, 'application');
    await client.create();
    for (const [key, body] of Object.entries(APPLICATION)) {
      await client.getBlockBlobClient(`team/${key}`).upload(body, body.length);
    }
    const written = await snapshot(client);
    const runs = await Promise.all(
      Array.from({ length: 10 }, () => runBootstrap(environmentOf(azurite, 'application/team'))),
    );
    assert.deepEqual(
      runs.map(({ outcome }) => outcome),
      Array(10).fill('deployed'),
    );
    assert.deepEqual(await snapshot(client), written);
  });

  it('lets ten racing processes make one container and one placeholder', async () => {
    const runs = await Promise.all(
      Array.from({ length: 10 }, () => runBootstrap(environmentOf(azurite, 'race'))),
    );
    assert.deepEqual(runs.map(({ outcome }) => outcome).sort(), [
      ...Array(9).fill('deployed'),
      'placeholder',
    ]);
    assert.deepEqual(contents(await snapshot(clientOf(azurite, 'race'))), WHOLE);
  });

  it('names a wrong key and never prints it', async () => {
    const key = Buffer.from('not the key').toString('base64');
    const run = await runBootstrap(
      environmentOf(azurite, 'empty', { AZURE_STORAGE_ACCOUNT_KEY: key }),
    );
    assert.deepEqual(run.outcome, {
      code: 'STORE_CREDENTIALS',
      path: 'az://empty',
      message: `credentials (AZURE_STORAGE_ACCOUNT_KEY): ${azurite.url}/${ACCOUNT} does not accept them (AuthorizationFailure)`,
      hint: 'check the account name, the key and the clock of the machine',
    });
    assert.ok(!JSON.stringify(run).includes(key));
  });

  it('says what is wrong with an Azurite that takes its host name for the account', async () => {
    const wrong = await startAzurite(['--disableTelemetry', '--skipApiVersionCheck']);
    try {
      const url = `http://celld-azurite.ns.svc:${wrong.port}`;
      const { outcome } = await runBootstrap(environmentOf({ ...wrong, url }, 'fleet'));
      assert.deepEqual(outcome, {
        code: 'STORE_ENDPOINT',
        path: 'az://fleet',
        message: `${url}/${ACCOUNT}: Azurite takes the first label of its host name for the account`,
        hint: 'start Azurite with --disableProductStyleUrl',
      });
      const right = `http://celld-azurite.ns.svc:${azurite.port}`;
      const run = await runBootstrap(environmentOf({ ...azurite, url: right }, 'dotted'));
      assert.equal(run.outcome, 'placeholder');
    } finally {
      await wrong.stop();
    }
  });
});
