import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Environment } from '../../src/bootstrap/environment.ts';
import { scrubber } from '../../src/bootstrap/secrets.ts';
import { readSettings } from '../../src/bootstrap/settings.ts';

describe('scrubber()', () => {
  const rows: readonly (readonly [string, Environment, string, string])[] = [
    [
      'the secret key and session token it was given, wherever they stand',
      {
        CELLD_BUCKET: 'b',
        AWS_ACCESS_KEY_ID: 'AK',
        AWS_SECRET_ACCESS_KEY: 'abc/def',
        AWS_SESSION_TOKEN: 'tok+en',
      },
      'sent abc/def and tok+en, twice abc/def',
      'sent *** and ***, twice ***',
    ],
    [
      'the account key',
      {
        CELLD_BUCKET: 'az://b',
        AZURE_STORAGE_ACCOUNT_NAME: 'acct',
        AZURE_STORAGE_ACCOUNT_KEY: 'a2V5',
      },
      'the key a2V5 is wrong',
      'the key *** is wrong',
    ],
    [
      'the text of a key',
      { CELLD_BUCKET: 'gs://b', GOOGLE_SERVICE_ACCOUNT_KEY: '{"private_key":"k"}' },
      'cannot parse {"private_key":"k"}',
      'cannot parse ***',
    ],
    [
      'a web token it was never told',
      { CELLD_BUCKET: 'b' },
      'the token eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJwb2QifQ.c2ln is not valid',
      'the token *** is not valid',
    ],
    [
      'a bearer token and a signature',
      { CELLD_BUCKET: 'b' },
      'Bearer abcdefghijkl was sent to https://store/?X-Amz-Signature=0123',
      'Bearer *** was sent to https://store/?X-Amz-Signature=***',
    ],
    [
      'nothing else',
      { CELLD_BUCKET: 'b' },
      'http://azurite:10000: connection refused; next try in 0.5 s',
      'http://azurite:10000: connection refused; next try in 0.5 s',
    ],
  ];
  for (const [what, environment, text, clean] of rows) {
    it(`replaces ${what}`, () => {
      assert.equal(scrubber(readSettings(environment))(text), clean);
    });
  }
});
