// Each kind of credentials, and all that a container gets of it: exactly what celld reads. The files are
// what Helm renders, see modes.test.ts.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { projectFile } from '../../src/cli/project.ts';
import { type JsonObject, listAt, stringAt, valueAt } from '../../src/core/json.ts';
import { CHART_MODES } from '../support/chart-modes.ts';
import { readObjects } from '../support/helm.ts';
import { envOf, fleetContainer, one, podOf } from '../support/rendered.ts';

interface Kind {
  readonly mode: string;
  /** Variables of the store and its credentials. */
  readonly env: JsonObject;
  /** Secrets whose keys become variables. */
  readonly from?: readonly string[];
  /** Secret and key of a mounted file, and where it is. */
  readonly file?: readonly [secret: string, key: string, path: string];
  /** What only bootstrap gets. */
  readonly bootstrap?: JsonObject;
  /** What a webhook or the cloud looks for on the pod. */
  readonly podLabel?: string;
}

const S3 = { CELLD_BUCKET: 's3://cells', AWS_REGION: 'us-east-2', AWS_DEFAULT_REGION: 'us-east-2' };
const AZURE = { CELLD_BUCKET: 'az://cells', AZURE_STORAGE_ACCOUNT_NAME: 'cellsaccount' };

const KINDS: readonly Kind[] = [
  { mode: 's3-machine-identity', env: S3 },
  { mode: 's3-irsa', env: S3 },
  { mode: 's3-keys', env: { ...S3, CELLD_BUCKET: 's3://cells/prod' }, from: ['celld-aws'] },
  {
    mode: 's3-compatible',
    env: {
      CELLD_BUCKET: 's3://cells',
      AWS_REGION: 'auto',
      AWS_DEFAULT_REGION: 'auto',
      S3_ENDPOINT: 'https://s3.example.com',
    },
    from: ['celld-r2'],
  },
  { mode: 's3-credentials-text', env: S3, from: ['celld-credentials'] },
  {
    mode: 's3-credentials-secret',
    env: S3,
    file: ['aws-creds', 'config', '/var/run/secrets/aws/credentials'],
    bootstrap: { AWS_SHARED_CREDENTIALS_FILE: '/var/run/secrets/aws/credentials' },
  },
  {
    mode: 'gs-key-file',
    env: {
      CELLD_BUCKET: 'gs://cells',
      GOOGLE_APPLICATION_CREDENTIALS: '/var/run/secrets/google/key.json',
    },
    file: ['celld-gcs', 'key.json', '/var/run/secrets/google/key.json'],
  },
  { mode: 'gs-workload-identity', env: { CELLD_BUCKET: 'gs://cells' } },
  { mode: 'az-account-key', env: AZURE, from: ['celld-azure'] },
  {
    mode: 'az-managed-identity',
    env: { ...AZURE, AZURE_CLIENT_ID: '11111111-2222-3333-4444-555555555555' },
  },
  { mode: 'az-workload-identity', env: AZURE, podLabel: 'azure.workload.identity/use' },
  {
    mode: 'azurite',
    env: {
      CELLD_BUCKET: 'az://celld',
      AZURE_STORAGE_USE_EMULATOR: 'true',
      AZURITE_BLOB_STORAGE_URL: 'http://celld-azurite.celld.svc:10000',
      AZURE_STORAGE_ACCOUNT_NAME: 'devstoreaccount1',
      AZURE_STORAGE_ACCOUNT_KEY: {
        secretKeyRef: { name: 'celld-azurite', key: 'AZURE_STORAGE_ACCOUNT_KEY' },
      },
    },
  },
];

const STORE = /^(CELLD_BUCKET|S3_|AWS_|GOOGLE_|AZURE_|AZURITE_)/u;

function storeEnv(container: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(envOf(container)).filter(([name]) => STORE.test(name)));
}

describe('the credentials of a container', () => {
  for (const { mode, env, from = [], file, bootstrap = {}, podLabel } of KINDS) {
    it(`${mode}: are what celld reads, for bootstrap and node alike`, () => {
      const path = projectFile('test', 'chart', 'expected', `${mode}.yaml`);
      const objects = readObjects(readFileSync(path, 'utf8'));
      const { spec, labels } = podOf(one(objects, 'StatefulSet'));
      const [init, node] = [fleetContainer(objects, 'bootstrap'), fleetContainer(objects)];
      assert.deepEqual([storeEnv(init), storeEnv(node)], [{ ...env, ...bootstrap }, env]);
      for (const container of [init, node]) {
        const secrets = listAt(container, 'envFrom').map((one) =>
          stringAt(one, 'secretRef', 'name'),
        );
        assert.deepEqual(secrets, from);
        assert.deepEqual(mountedFiles(spec, container), file === undefined ? [] : [file]);
      }
      const identity = Object.keys(labels).filter(
        (label) => !label.startsWith('app.kubernetes.io/'),
      );
      assert.deepEqual(identity, podLabel === undefined ? [] : [podLabel]);
    });
  }

  it('are covered by the table in every mode with a store', () => {
    const covered = KINDS.map(({ mode }) => mode);
    const missing = ['s3-', 'gs-', 'az-'].flatMap((store) =>
      Object.keys(CHART_MODES).filter((mode) => mode.startsWith(store)),
    );
    assert.deepEqual(
      missing.filter((mode) => !covered.includes(mode)),
      [],
    );
  });
});

/** Secret, key and path of every file that comes out of a Secret. */
function mountedFiles(spec: JsonObject, container: JsonObject) {
  return listAt(spec, 'volumes').flatMap((volume) => {
    const mount = listAt(container, 'volumeMounts').find(
      (candidate) => stringAt(candidate, 'name') === stringAt(volume, 'name'),
    );
    const secret = stringAt(volume, 'secret', 'secretName');
    if (mount === undefined || secret === undefined) return [];
    assert.equal(valueAt(mount, 'readOnly'), true);
    return listAt(volume, 'secret', 'items').map((item) => [
      secret,
      stringAt(item, 'key'),
      `${stringAt(mount, 'mountPath')}/${stringAt(item, 'path')}`,
    ]);
  });
}
