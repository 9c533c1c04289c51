import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Environment } from '../../src/bootstrap/environment.ts';
import { readPlaceholderWish, readSettings } from '../../src/bootstrap/settings.ts';
import { ProblemError } from '../../src/core/problem.ts';

const EMULATOR_KEY =
  'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==';
const KEYS = { AWS_ACCESS_KEY_ID: 'AK', AWS_SECRET_ACCESS_KEY: 'SK' };
const WEB = { AWS_WEB_IDENTITY_TOKEN_FILE: '/token', AWS_ROLE_ARN: 'arn' };
const POD = {
  AWS_CONTAINER_CREDENTIALS_FULL_URI: 'http://169.254.170.23/v1/credentials',
  AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: '/pod-token',
};

interface Row {
  readonly why: string;
  readonly environment: Environment;
  readonly settings: object;
}

describe('readSettings()', () => {
  const rows: readonly Row[] = [
    {
      why: 'static keys come first, whatever else is there',
      environment: { CELLD_BUCKET: 'b', ...KEYS, AWS_SESSION_TOKEN: 'T', ...WEB, ...POD },
      settings: {
        kind: 's3',
        region: 'us-east-1',
        credentials: {
          from: 'keys',
          accessKeyId: 'AK',
          secretAccessKey: 'SK',
          sessionToken: 'T',
        },
      },
    },
    {
      why: 'AWS_REGION before AWS_DEFAULT_REGION, and an endpoint',
      environment: {
        CELLD_BUCKET: 'b',
        ...KEYS,
        AWS_REGION: 'eu-west-1',
        AWS_DEFAULT_REGION: 'eu-west-2',
        S3_ENDPOINT: 'https://s3.example.com',
      },
      settings: {
        kind: 's3',
        region: 'eu-west-1',
        endpoint: 'https://s3.example.com',
        credentials: { from: 'keys', accessKeyId: 'AK', secretAccessKey: 'SK' },
      },
    },
    {
      why: 'the file that the chart mounts',
      environment: {
        CELLD_BUCKET: 'b',
        AWS_SHARED_CREDENTIALS_FILE: '/credentials',
        AWS_DEFAULT_REGION: 'eu-west-2',
      },
      settings: {
        kind: 's3',
        region: 'eu-west-2',
        credentials: { from: 'file', path: '/credentials' },
      },
    },
    {
      why: 'IRSA before Pod Identity',
      environment: { CELLD_BUCKET: 'b', ...WEB, ...POD },
      settings: {
        kind: 's3',
        region: 'us-east-1',
        credentials: { from: 'web identity', tokenFile: '/token', roleArn: 'arn' },
      },
    },
    {
      why: 'Pod Identity',
      environment: { CELLD_BUCKET: 'b', ...POD },
      settings: {
        kind: 's3',
        region: 'us-east-1',
        credentials: {
          from: 'container',
          fullUri: 'http://169.254.170.23/v1/credentials',
          tokenFile: '/pod-token',
        },
      },
    },
    {
      why: 'an empty variable is none, and the machine comes last',
      environment: { CELLD_BUCKET: 'b', AWS_ACCESS_KEY_ID: '', AWS_SECRET_ACCESS_KEY: '' },
      settings: {
        kind: 's3',
        region: 'us-east-1',
        credentials: { from: 'instance metadata' },
      },
    },
    {
      why: 'a key file of its own variable before the default credentials',
      environment: {
        CELLD_BUCKET: 'gs://b',
        GOOGLE_SERVICE_ACCOUNT: '/key.json',
        GOOGLE_APPLICATION_CREDENTIALS: '/adc.json',
      },
      settings: {
        kind: 'gs',
        credentials: {
          from: 'service account file',
          path: '/key.json',
          variable: 'GOOGLE_SERVICE_ACCOUNT',
        },
      },
    },
    {
      why: 'the default credentials of Google, and where gcloud keeps its own',
      environment: { CELLD_BUCKET: 'gs://b', HOME: '/home/me' },
      settings: { kind: 'gs', credentials: { from: 'default', home: '/home/me' } },
    },
    {
      why: 'Azurite as the chart names it',
      environment: {
        CELLD_BUCKET: 'az://b',
        AZURE_STORAGE_USE_EMULATOR: 'true',
        AZURITE_BLOB_STORAGE_URL: 'http://celld-azurite.ns.svc:10000',
      },
      settings: {
        kind: 'az',
        url: 'http://celld-azurite.ns.svc:10000/devstoreaccount1',
        account: 'devstoreaccount1',
        emulator: true,
        credentials: { from: 'account key', key: EMULATOR_KEY },
      },
    },
    {
      why: 'an account with its key',
      environment: {
        CELLD_BUCKET: 'az://b',
        AZURE_STORAGE_USE_EMULATOR: '0',
        AZURE_STORAGE_ACCOUNT_NAME: 'acct',
        AZURE_STORAGE_ACCOUNT_KEY: 'a2V5',
      },
      settings: {
        kind: 'az',
        url: 'https://acct.blob.core.windows.net',
        account: 'acct',
        emulator: false,
        credentials: { from: 'account key', key: 'a2V5' },
      },
    },
    {
      why: 'AKS workload identity',
      environment: {
        CELLD_BUCKET: 'az://b',
        AZURE_STORAGE_ACCOUNT_NAME: 'acct',
        AZURE_CLIENT_ID: 'c',
        AZURE_TENANT_ID: 't',
        AZURE_FEDERATED_TOKEN_FILE: '/f',
      },
      settings: {
        kind: 'az',
        url: 'https://acct.blob.core.windows.net',
        account: 'acct',
        emulator: false,
        credentials: { from: 'workload identity', clientId: 'c', tenantId: 't', tokenFile: '/f' },
      },
    },
    {
      why: 'a managed identity of the user',
      environment: {
        CELLD_BUCKET: 'az://b',
        AZURE_STORAGE_ACCOUNT_NAME: 'acct',
        AZURE_CLIENT_ID: 'c',
      },
      settings: {
        kind: 'az',
        url: 'https://acct.blob.core.windows.net',
        account: 'acct',
        emulator: false,
        credentials: { from: 'managed identity', clientId: 'c' },
      },
    },
  ];
  for (const { why, environment, settings } of rows) {
    it(`reads ${why}`, () => {
      const { address, ...rest } = readSettings(environment);
      assert.deepEqual(address, { kind: rest.kind, bucket: 'b', prefix: '' });
      assert.deepEqual(rest, settings);
    });
  }

  const refused: readonly (readonly [string, Environment, string])[] = [
    ['no bucket', {}, 'CELLD_BUCKET'],
    ['an endpoint with gs://', { CELLD_BUCKET: 'gs://b', S3_ENDPOINT: 'http://s3' }, 'S3_ENDPOINT'],
    ['an endpoint that is no URL', { CELLD_BUCKET: 'b', S3_ENDPOINT: 's3:9000' }, 'S3_ENDPOINT'],
    [
      'an endpoint with a user',
      { CELLD_BUCKET: 'b', S3_ENDPOINT: 'http://u:hush@s3' },
      'S3_ENDPOINT',
    ],
    [
      'half a pair of keys',
      { CELLD_BUCKET: 'b', AWS_ACCESS_KEY_ID: 'AK' },
      'AWS_SECRET_ACCESS_KEY',
    ],
    [
      'Pod Identity without its token',
      { CELLD_BUCKET: 'b', AWS_CONTAINER_CREDENTIALS_FULL_URI: 'http://x' },
      'AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE',
    ],
    ['no account', { CELLD_BUCKET: 'az://b' }, 'AZURE_STORAGE_ACCOUNT_NAME'],
    [
      'an emulator that is neither on nor off',
      { CELLD_BUCKET: 'az://b', AZURE_STORAGE_USE_EMULATOR: 'yes' },
      'AZURE_STORAGE_USE_EMULATOR',
    ],
    [
      'two kinds of Azure credentials',
      {
        CELLD_BUCKET: 'az://b',
        AZURE_STORAGE_ACCOUNT_NAME: 'acct',
        AZURE_STORAGE_ACCOUNT_KEY: 'k',
        AZURE_FEDERATED_TOKEN_FILE: '/f',
      },
      'AZURE_STORAGE_ACCOUNT_KEY',
    ],
  ];
  for (const [why, environment, path] of refused) {
    it(`refuses ${why} by the name of the variable, without its value`, () => {
      const problem = problemOf(() => readSettings(environment));
      assert.equal(problem?.code, 'STORE_SETTINGS');
      assert.equal(problem?.path, path);
      assert.doesNotMatch(problem?.message ?? '', /hush/u);
    });
  }
});

describe('readPlaceholderWish()', () => {
  it('is a switch of 0 and 1, off by default', () => {
    assert.equal(readPlaceholderWish({}), false);
    assert.equal(readPlaceholderWish({ CELLD_STACK_PLACEHOLDER: '0' }), false);
    assert.equal(readPlaceholderWish({ CELLD_STACK_PLACEHOLDER: '1' }), true);
    const problem = problemOf(() => readPlaceholderWish({ CELLD_STACK_PLACEHOLDER: 'true' }));
    assert.equal(problem?.path, 'CELLD_STACK_PLACEHOLDER');
  });
});

function problemOf(act: () => unknown) {
  try {
    act();
  } catch (error) {
    if (error instanceof ProblemError) return error.problems[0];
    throw error;
  }
  return undefined;
}
