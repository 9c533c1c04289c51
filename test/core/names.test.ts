import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { shortName } from '../../src/core/names.ts';

const label = fc.stringMatching(/^[a-z]([-a-z0-9]{0,70}[a-z0-9])?$/u);
const max = fc.integer({ min: 12, max: 63 });

describe('shortName()', () => {
  const sixtyThree = `celld-${'a'.repeat(57)}`;
  for (const { why, name, limit, expected } of [
    { why: 'leaves a name that fits', name: 'celld', limit: 63, expected: 'celld' },
    {
      why: 'leaves a name of exactly the limit',
      name: sixtyThree,
      limit: 63,
      expected: sixtyThree,
    },
    {
      why: 'cuts a longer one and adds the hash of the whole',
      name: `${sixtyThree}b`,
      limit: 63,
      expected: `celld-${'a'.repeat(48)}-${createHash('sha256').update(`${sixtyThree}b`).digest('hex').slice(0, 8)}`,
    },
    {
      why: 'leaves no dash before the hash',
      name: 'abc---------------------',
      limit: 16,
      expected: `abc-${createHash('sha256').update('abc---------------------').digest('hex').slice(0, 8)}`,
    },
  ]) {
    it(why, () => {
      assert.equal(shortName(name, limit), expected);
    });
  }

  it('fits, stays a DNS label, and changes nothing when applied again', () => {
    fc.assert(
      fc.property(label, max, (name, limit) => {
        const short = shortName(name, limit);
        assert.equal(short.length <= limit, true);
        assert.match(short, /^[a-z]([-a-z0-9]*[a-z0-9])?$/u);
        assert.equal(shortName(short, limit), short);
      }),
    );
  });

  it('keeps two names apart', () => {
    fc.assert(
      fc.property(label, label, max, (a, b, limit) => {
        assert.equal(shortName(a, limit) === shortName(b, limit), a === b);
      }),
    );
  });
});
