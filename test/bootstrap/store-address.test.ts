import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  formatAddress,
  keyUnder,
  readStoreAddress,
  type StoreAddress,
} from '../../src/bootstrap/store-address.ts';
import { ProblemError } from '../../src/core/problem.ts';

describe('readStoreAddress()', () => {
  const good: readonly (readonly [string, StoreAddress, string])[] = [
    ['fleet', { kind: 's3', bucket: 'fleet', prefix: '' }, 'a name alone is S3'],
    ['fleet/a/b', { kind: 's3', bucket: 'fleet', prefix: 'a/b' }, 'a name with a prefix'],
    ['s3://fleet', { kind: 's3', bucket: 'fleet', prefix: '' }, 'S3'],
    ['gs://fleet/a', { kind: 'gs', bucket: 'fleet', prefix: 'a' }, 'GCS'],
    [
      'az://fleet/a/',
      { kind: 'az', bucket: 'fleet', prefix: 'a' },
      'a slash at the end is nothing',
    ],
    [' S3://fleet ', { kind: 's3', bucket: 'fleet', prefix: '' }, 'as celld 0.6.0 reads it'],
  ];
  for (const [text, address, why] of good) {
    it(`reads ${JSON.stringify(text)}: ${why}`, () => {
      assert.deepEqual(readStoreAddress(text), address);
    });
  }

  const bad: readonly (readonly [string, string])[] = [
    ['', 'nothing'],
    ['s3://', 'no name'],
    ['http://fleet', 'a scheme celld does not know'],
    ['fleet/a b', 'a space in the prefix'],
    ['fleet/../other', 'a way out of the prefix'],
    ['fleet//a', 'an empty part'],
    ['fl eet', 'a space in the name'],
  ];
  for (const [text, why] of bad) {
    it(`refuses ${JSON.stringify(text)}: ${why}`, () => {
      assert.throws(
        () => readStoreAddress(text),
        (error) => {
          assert.ok(error instanceof ProblemError);
          assert.deepEqual(
            error.problems.map(({ code, path }) => [code, path]),
            [['STORE_SETTINGS', 'CELLD_BUCKET']],
          );
          return true;
        },
      );
    });
  }
});

describe('keyUnder(), formatAddress()', () => {
  it('puts the prefix in front of a key and into the name', () => {
    const address = readStoreAddress('gs://fleet/a/b');
    assert.equal(keyUnder(address, 'deploy/current.json'), 'a/b/deploy/current.json');
    assert.equal(formatAddress(address), 'gs://fleet/a/b');
    assert.equal(formatAddress(readStoreAddress('fleet')), 's3://fleet');
  });
});
