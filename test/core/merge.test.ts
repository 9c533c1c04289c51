import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Json, JsonObject } from '../../src/core/json.ts';
import { mergeValues } from '../../src/core/merge.ts';

const CASES: readonly { why: string; base: JsonObject; over: JsonObject; merged: JsonObject }[] = [
  {
    why: 'maps are merged key by key',
    base: { a: { x: 1, y: 2 } },
    over: { a: { y: 3 } },
    merged: { a: { x: 1, y: 3 } },
  },
  { why: 'lists are replaced', base: { a: [1, 2] }, over: { a: [3] }, merged: { a: [3] } },
  {
    why: 'a map replaces what is no map',
    base: { a: 'x' },
    over: { a: { y: 1 } },
    merged: { a: { y: 1 } },
  },
  { why: 'a null takes a key away', base: { a: 1, b: 2 }, over: { a: null }, merged: { b: 2 } },
  {
    why: 'a null shows nowhere',
    base: {},
    over: { a: { b: null }, c: [{ d: null }, null] },
    merged: { a: {}, c: [{}] },
  },
  {
    why: 'false, zero and the empty text are values',
    base: { a: 1, b: 1, c: 1 },
    over: { a: false, b: 0, c: '' },
    merged: { a: false, b: 0, c: '' },
  },
];

const objects = fc
  .dictionary(fc.constantFrom('a', 'b', '__proto__', 'constructor'), fc.jsonValue())
  .map((value) => JSON.parse(JSON.stringify(value)) as JsonObject);

function hasNull(value: Json): boolean {
  if (value === null) return true;
  return typeof value === 'object' && Object.values(value).some(hasNull);
}

describe('mergeValues()', () => {
  for (const { why, base, over, merged } of CASES) {
    it(why, () => assert.deepEqual(mergeValues(base, over), merged));
  }

  it('gives the overlay itself over nothing, without its nulls', () => {
    fc.assert(fc.property(objects, (over) => assert.equal(hasNull(mergeValues({}, over)), false)));
  });

  it('changes nothing the second time', () => {
    fc.assert(
      fc.property(objects, objects, (base, over) => {
        const clean = mergeValues({}, base);
        const once = mergeValues(clean, over);
        assert.deepEqual(mergeValues(once, over), once);
      }),
    );
  });

  it('never touches the prototype of anything', () => {
    mergeValues({}, JSON.parse('{"__proto__": {"polluted": true}}') as JsonObject);
    assert.equal(({} as { polluted?: boolean }).polluted, undefined);
  });
});
