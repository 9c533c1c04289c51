import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  canonicalText,
  compareStrings,
  type Json,
  sameJson,
  valueAt,
} from '../../src/core/json.ts';

const json = fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value)) as Json);
const text = fc.string({ unit: 'binary' });

describe('compareStrings()', () => {
  it('orders as the code points do', () => {
    const points = (value: string) => Array.from(value, (char) => char.codePointAt(0) ?? 0);
    fc.assert(
      fc.property(text, text, (a, b) => {
        const [left, right] = [points(a), points(b)];
        const at = left.findIndex((point, i) => point !== right[i]);
        const expected =
          at < 0 || right[at] === undefined
            ? left.length - right.length
            : (left[at] ?? 0) - right[at];
        assert.equal(Math.sign(compareStrings(a, b)), Math.sign(expected));
      }),
    );
  });
});

describe('canonicalText()', () => {
  it('is the same for equal values and differs for others', () => {
    fc.assert(
      fc.property(json, json, (a, b) => {
        assert.equal(canonicalText(a) === canonicalText(b), sameJson(a, b));
        assert.equal(sameJson(a, JSON.parse(canonicalText(a))), true);
      }),
    );
  });
});

describe('valueAt()', () => {
  it('finds own keys and list items only', () => {
    const value = { a: [{ b: 1 }] };
    assert.deepEqual(
      [
        valueAt(value, 'a', 0, 'b'),
        valueAt(value, 'a', 'length'),
        valueAt(value, 'constructor'),
        valueAt(value, 'a', 3, 'b'),
        valueAt(undefined, 'a'),
      ],
      [1, undefined, undefined, undefined, undefined],
    );
  });
});
