import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  CREDENTIAL_REFUSALS,
  NODE_REFUSALS,
  type Refusal,
  STORE_REFUSALS,
} from '../support/chart-refusals.ts';
import { templateChart } from '../support/helm.ts';

const bucket = { bucket: 's3://cells' };
const REFUSALS = [...STORE_REFUSALS, ...CREDENTIAL_REFUSALS, ...NODE_REFUSALS];

/** What Helm prints around the sentences. */
function helmError(says: readonly string[]): string {
  const list = says.map((sentence) => `  - ${sentence}\n`).join('');
  return `Error: execution error at (celld/templates/statefulset.yaml:1:4): \n\nthe values cannot work:\n${list}\n\nUse --debug flag to render out invalid YAML\n`;
}

/** What Helm's own schema check prints. */
function schemaError(says: readonly string[]): string {
  const list = says.map((sentence) => `- at ${sentence}\n`).join('');
  return `Error: values don't meet the specifications of the schema(s) in the following chart(s):\ncelld:\n${list}\n`;
}

describe('celld.check', { concurrency: true }, () => {
  for (const { why, values, says } of REFUSALS) {
    it(`refuses ${why}`, async () => {
      const { status, stdout, stderr } = await templateChart({ values });
      assert.deepEqual([status, stdout, stderr], [1, '', helmError(says)]);
    });
  }

  it('prints no part of a credentials file that --set has cut', async () => {
    const text =
      '[default]\naws_access_key_id = AKIASECRETID\naws_secret_access_key = first,second\naws_session_token = third';
    const set = `credentials.sharedCredentials=${text}`;
    const { status, stderr } = await templateChart({ values: { celld: bucket } }, '--set', set);
    assert.equal(status, 1);
    assert.deepEqual(
      ['AKIASECRETID', 'first', 'second', 'third'].filter((part) => stderr.includes(part)),
      [],
    );
  });
});

describe('values.schema.json', { concurrency: true }, () => {
  for (const { why, values, says } of [
    {
      why: 'an unknown key below the root',
      values: { celld: { ...bucket, buckett: 'x' } },
      says: ["'/celld': additional properties 'buckett' not allowed"],
    },
    {
      why: 'a number for a tag',
      values: { celld: bucket, image: { tag: 0.6 } },
      says: ["'/image/tag': got number, want string"],
    },
    {
      why: 'a credentials text that --set made a list of',
      values: { celld: bucket, credentials: { sharedCredentials: ['AKIASECRETID'] } },
      says: ["'/credentials/sharedCredentials': got array, want string"],
    },
    {
      why: 'a variable without a text',
      values: { celld: bucket, extraEnv: [{ name: 'CELLD_TTL_MS', value: 2000000 }] },
      says: ["'/extraEnv/0/value': got number, want string"],
    },
  ] satisfies readonly Refusal[]) {
    it(`refuses ${why}`, async () => {
      const { status, stdout, stderr } = await templateChart({ values });
      assert.deepEqual([status, stdout, stderr], [1, '', schemaError(says)]);
    });
  }
});
