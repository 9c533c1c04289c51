import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { publicMessage } from '../../src/core/redact.ts';

const CASES = [
  {
    why: 'a message of several lines becomes one',
    message: 'cannot create:\n\tno such thing\n',
    shown: 'cannot create: no such thing',
  },
  {
    why: 'request IDs change at each try',
    message:
      'StatusCode: 409, RequestID: 6T3AV0FB6DP0Z1XN, HostID: abcd1234/+=, BucketAlreadyExists',
    shown: 'StatusCode: 409, RequestID: …, HostID: …, BucketAlreadyExists',
  },
  {
    why: 'times change at each try',
    message: 'token expired at 2026-11-30T10:00:00Z, now 2026-11-30T10:00:01.123+01:00',
    shown: 'token expired at …, now …',
  },
  {
    why: 'an access key ID is half of a credential',
    message: 'the key AKIAIOSFODNN7EXAMPLE does not exist',
    shown: 'the key *** does not exist',
  },
  {
    why: 'a line of a credentials file',
    message: 'cannot parse "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG": bad',
    shown: 'cannot parse "aws_secret_access_key = ***": bad',
  },
  {
    why: 'an Azure connection string',
    message: 'AccountName=a;AccountKey=Zm9v+/==;EndpointSuffix=x',
    shown: 'AccountName=a;AccountKey=***;EndpointSuffix=x',
  },
  {
    why: 'a presigned URL',
    message: 'GET https://b.s3.amazonaws.com/k?X-Amz-Signature=abc123&x=1: 403',
    shown: 'GET https://b.s3.amazonaws.com/k?X-Amz-Signature=***&x=1: 403',
  },
  {
    why: 'a password in a URL',
    message: 'cannot fetch https://user:hunter2@charts.example.com/index.yaml',
    shown: 'cannot fetch https://user:***@charts.example.com/index.yaml',
  },
  {
    why: 'a bearer token',
    message: 'Authorization: Bearer eyJhbGciOi.abc.def refused',
    shown: 'Authorization: Bearer *** refused',
  },
  {
    why: 'a private key, even a cut one',
    message: 'bad key "-----BEGIN RSA PRIVATE KEY-----\nMIIE\nabc',
    shown: 'bad key "***',
  },
  {
    why: 'an ordinary message stays as it is',
    message: 'update failed: failed to upgrade release: chart "celld" version "9.9.9" not found',
    shown: 'update failed: failed to upgrade release: chart "celld" version "9.9.9" not found',
  },
];

describe('publicMessage()', () => {
  for (const { why, message, shown } of CASES) {
    it(why, () => assert.equal(publicMessage(message), shown));
  }
});
