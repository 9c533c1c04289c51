// Credentials that are fetched: what each identity of a pod asks for, and that the store then takes it.
import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { Problem } from '../../src/core/problem.ts';
import { runBootstrap } from '../support/fleet-store.ts';
import { type Asked, environmentFor, loopbackServer } from '../support/loopback-server.ts';
import { type S3Server, startS3Server } from '../support/s3-server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const KEYS = { bucket: 'fleet', accessKeyId: 'ASIATEMPORARY', secretAccessKey: 'temporary-secret' };
const SESSION = 'session-token';

async function store(test: TestContext): Promise<S3Server> {
  const server = await startS3Server({ ...KEYS, sessionToken: SESSION });
  test.after(() => server.stop());
  return server;
}

function fleetOn(server: S3Server) {
  return { CELLD_BUCKET: 'fleet', S3_ENDPOINT: server.url, AWS_REGION: 'eu-west-1' };
}

/** The answer of the Pod Identity agent and of the instance metadata. */
const TEMPORARY = JSON.stringify({
  Code: 'Success',
  AccessKeyId: KEYS.accessKeyId,
  SecretAccessKey: KEYS.secretAccessKey,
  Token: SESSION,
  Expiration: '2099-01-01T00:00:00Z',
});

describe('bootstrap() with the identity of a pod', () => {
  it('takes EKS Pod Identity from its agent, with the token of the pod', async (t) => {
    const asked: Asked[] = [];
    const agent = await loopbackServer(t, (request) => {
      asked.push(request);
      return { body: TEMPORARY };
    });
    const folder = temporaryFolder(t, { token: 'pod-token' });
    const run = await runBootstrap({
      ...fleetOn(await store(t)),
      AWS_CONTAINER_CREDENTIALS_FULL_URI: `${agent}/v1/credentials`,
      AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: `${folder}/token`,
    });
    assert.equal(run.outcome, 'placeholder');
    assert.deepEqual(
      asked.map(({ path, headers }) => [path, headers['authorization']]),
      [['/v1/credentials', 'pod-token']],
    );
  });

  it('waits for a Pod Identity agent that is not up yet, and says where it asks', async (t) => {
    let tries = 0;
    const agent = await loopbackServer(t, () =>
      ++tries === 1 ? { status: 500, body: '{}' } : { body: TEMPORARY },
    );
    const folder = temporaryFolder(t, { token: 'pod-token' });
    const run = await runBootstrap(
      {
        ...fleetOn(await store(t)),
        AWS_CONTAINER_CREDENTIALS_FULL_URI: `${agent}/v1/credentials`,
        AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: `${folder}/token`,
      },
      { denialTimeoutMs: 5_000 },
    );
    assert.equal(run.outcome, 'placeholder');
    assert.match(
      run.log[0] ?? '',
      /^s3:\/\/fleet: waiting: credentials \(AWS_CONTAINER_CREDENTIALS_FULL_URI\): none to be had: /u,
    );
  });

  it('takes IRSA from STS, with the token of the ServiceAccount', async (t) => {
    const asked: URLSearchParams[] = [];
    const sts = await loopbackServer(t, ({ body }) => {
      asked.push(new URLSearchParams(body));
      return {
        headers: { 'content-type': 'text/xml' },
        body: `<AssumeRoleWithWebIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><AssumeRoleWithWebIdentityResult><Credentials><AccessKeyId>${KEYS.accessKeyId}</AccessKeyId><SecretAccessKey>${KEYS.secretAccessKey}</SecretAccessKey><SessionToken>${SESSION}</SessionToken><Expiration>2099-01-01T00:00:00Z</Expiration></Credentials></AssumeRoleWithWebIdentityResult></AssumeRoleWithWebIdentityResponse>`,
      };
    });
    environmentFor(t, { AWS_ENDPOINT_URL_STS: sts });
    const folder = temporaryFolder(t, { token: 'web-token' });
    const run = await runBootstrap({
      ...fleetOn(await store(t)),
      AWS_ROLE_ARN: 'arn:aws:iam::123456789012:role/celld',
      AWS_WEB_IDENTITY_TOKEN_FILE: `${folder}/token`,
    });
    assert.equal(run.outcome, 'placeholder');
    assert.deepEqual(
      asked.map((form) =>
        ['RoleArn', 'RoleSessionName', 'WebIdentityToken'].map((one) => form.get(one)),
      ),
      [['arn:aws:iam::123456789012:role/celld', 'celld-stack-bootstrap', 'web-token']],
    );
  });

  it('says what STS says to a role that does not trust the ServiceAccount', async (t) => {
    const sts = await loopbackServer(t, () => ({
      status: 403,
      headers: { 'content-type': 'text/xml' },
      body: '<ErrorResponse><Error><Code>AccessDenied</Code><Message>Not authorized to perform sts:AssumeRoleWithWebIdentity</Message></Error></ErrorResponse>',
    }));
    environmentFor(t, { AWS_ENDPOINT_URL_STS: sts });
    const folder = temporaryFolder(t, { token: 'web-token' });
    const { outcome } = await runBootstrap({
      ...fleetOn(await store(t)),
      AWS_ROLE_ARN: 'arn:aws:iam::123456789012:role/celld',
      AWS_WEB_IDENTITY_TOKEN_FILE: `${folder}/token`,
    });
    assert.deepEqual(outcome, {
      code: 'STORE_CREDENTIALS',
      path: 's3://fleet',
      message:
        'credentials (AWS_ROLE_ARN and AWS_WEB_IDENTITY_TOKEN_FILE): none to be had: Not authorized to perform sts:AssumeRoleWithWebIdentity',
      hint: 'give the pod credentials that may use the bucket',
    });
  });

  it('takes the machine when no variable names credentials', async (t) => {
    const metadata = await loopbackServer(t, ({ method, path }) => {
      if (method === 'PUT') return { body: 'imds-token' };
      return { body: path.endsWith('/security-credentials/') ? 'node-role' : TEMPORARY };
    });
    environmentFor(t, { AWS_EC2_METADATA_SERVICE_ENDPOINT: metadata });
    const run = await runBootstrap(fleetOn(await store(t)));
    assert.equal(run.outcome, 'placeholder');
  });

  it('reads the default profile of the file that the chart mounts, and no other', async (t) => {
    const folder = temporaryFolder(t, {
      credentials: `[other]\naws_access_key_id = AKOTHER\naws_secret_access_key = other\n\n[default]\naws_access_key_id = ${KEYS.accessKeyId}\naws_secret_access_key = ${KEYS.secretAccessKey}\naws_session_token = ${SESSION}\n`,
    });
    environmentFor(t, { AWS_PROFILE: 'other' });
    const run = await runBootstrap({
      ...fleetOn(await store(t)),
      AWS_SHARED_CREDENTIALS_FILE: `${folder}/credentials`,
    });
    assert.equal(run.outcome, 'placeholder');
  });

  it('says that the file has no default profile', async (t) => {
    const folder = temporaryFolder(t, { credentials: '[other]\naws_access_key_id = AKOTHER\n' });
    const { outcome } = await runBootstrap({
      ...fleetOn(await store(t)),
      AWS_SHARED_CREDENTIALS_FILE: `${folder}/credentials`,
    });
    assert.equal((outcome as Problem).code, 'STORE_CREDENTIALS');
    assert.match(
      (outcome as Problem).message,
      /^credentials \(AWS_SHARED_CREDENTIALS_FILE\): none to be had: /u,
    );
  });

  it('says that the token of an Azure workload identity is missing', async () => {
    const { outcome } = await runBootstrap({
      CELLD_BUCKET: 'az://fleet',
      AZURE_STORAGE_ACCOUNT_NAME: 'acct',
      AZURE_CLIENT_ID: '11111111-2222-3333-4444-555555555555',
      AZURE_TENANT_ID: '11111111-2222-3333-4444-666666666666',
      AZURE_FEDERATED_TOKEN_FILE: '/nowhere/token',
    });
    assert.equal((outcome as Problem).code, 'STORE_CREDENTIALS');
    assert.match(
      (outcome as Problem).message,
      /^credentials \(AZURE_CLIENT_ID, AZURE_TENANT_ID and AZURE_FEDERATED_TOKEN_FILE\): none to be had: /u,
    );
  });
});
