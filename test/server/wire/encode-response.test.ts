import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Json } from '../../../src/core/json.ts';
import { RunFunctionResponse } from '../../../src/crossplane/protocol.ts';
import { encodeResponse } from '../../../src/server/wire/encode-response.ts';
import { response } from './messages.ts';

const EMPTY = RunFunctionResponse.decode(new Uint8Array());

describe('encodeResponse()', () => {
  it('writes the bytes that the SDK writes', () => {
    fc.assert(
      fc.property(response, (message) => {
        const expected = Buffer.from(RunFunctionResponse.encode(message).finish());
        assert.deepEqual(encodeResponse(message), expected);
      }),
      { numRuns: 300 },
    );
  });

  it('writes messages of any size', () => {
    for (const size of [0, 127, 128, 65_535, 65_536, 3_000_000]) {
      const message = { ...EMPTY, context: { text: 'x'.repeat(size), other: 'ü'.repeat(size) } };
      assert.deepEqual(
        RunFunctionResponse.decode(encodeResponse(message)).context,
        message.context,
      );
    }
  });

  it('leaves out undefined fields, as JSON does', () => {
    const context = { a: undefined, b: 1 };
    assert.deepEqual(
      encodeResponse({ ...EMPTY, context }),
      encodeResponse({ ...EMPTY, context: { b: 1 } }),
    );
  });

  it('gives bytes that later messages do not change', () => {
    const first = encodeResponse({ ...EMPTY, context: { a: 'first' } });
    const copy = Buffer.from(first);
    encodeResponse({ ...EMPTY, context: { a: 'other' } });
    assert.deepEqual(first, copy);
  });

  it('refuses what is no JSON', () => {
    const context = { a: 1n as unknown as Json };
    assert.throws(() => encodeResponse({ ...EMPTY, context }), {
      name: 'TypeError',
      message: 'a response holds bigint: expected a JSON value',
    });
  });
});
