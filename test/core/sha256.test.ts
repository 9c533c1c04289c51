import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { sha256Hex } from '../../src/core/sha256.ts';

describe('sha256Hex()', () => {
  // FIPS 180-4 examples as published by NIST.
  const vectors: readonly { text: string; why: string; digest: string }[] = [
    {
      why: 'an empty message',
      text: '',
      digest: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    },
    {
      why: 'one block',
      text: 'abc',
      digest: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    },
    {
      why: 'a length that spills into a second block',
      text: 'abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq',
      digest: '248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1',
    },
    {
      why: 'two blocks',
      text: 'abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu',
      digest: 'cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1',
    },
    {
      why: 'a million letters',
      text: 'a'.repeat(1_000_000),
      digest: 'cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0',
    },
  ];
  for (const { why, text, digest } of vectors) {
    it(`gives the published digest of ${why}`, () => {
      assert.equal(sha256Hex(text), digest);
    });
  }

  it('agrees with node:crypto on every text', () => {
    const text = fc.string({ unit: 'binary', maxLength: 200 });
    fc.assert(
      fc.property(text, (value) => {
        assert.equal(sha256Hex(value), createHash('sha256').update(value, 'utf8').digest('hex'));
      }),
      { numRuns: 500 },
    );
  });

  it('reads a lone surrogate as node:crypto does', () => {
    for (const value of ['\ud800', 'a\udfffb', '\udc00\ud800']) {
      assert.equal(sha256Hex(value), createHash('sha256').update(value, 'utf8').digest('hex'));
    }
  });
});
