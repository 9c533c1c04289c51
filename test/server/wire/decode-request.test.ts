import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Json } from '../../../src/core/json.ts';
import { RunFunctionRequest } from '../../../src/crossplane/protocol.ts';
import { decodeRequest } from '../../../src/server/wire/decode-request.ts';
import { encodeResponse } from '../../../src/server/wire/encode-response.ts';
import { request } from './messages.ts';

const NOTHING = RunFunctionRequest.decode(new Uint8Array());

/** The bytes of a message of one field: lengths up to 127. */
function block(field: number, ...content: readonly (number | readonly number[])[]): number[] {
  const bytes = content.flat();
  return [field * 8 + 2, bytes.length, ...bytes];
}

/** A request whose XR is the Struct of these fields. */
function withXr(...fields: readonly (readonly number[])[]): Uint8Array {
  return Uint8Array.from(block(2, block(1, block(1, ...fields))));
}

function xrOf(bytes: Uint8Array): unknown {
  return decodeRequest(bytes).observed?.composite?.resource;
}

describe('decodeRequest()', () => {
  it('reads what the SDK reads, apart from what the function never looks at', () => {
    fc.assert(
      fc.property(request, (message) => {
        const bytes = RunFunctionRequest.encode(message).finish();
        const expected = RunFunctionRequest.decode(bytes);
        assert.deepEqual(decodeRequest(bytes), {
          ...expected,
          meta: expected.meta && { ...expected.meta, capabilities: [] },
          input: undefined,
          credentials: {},
          requiredSchemas: {},
        });
      }),
      { numRuns: 300 },
    );
  });

  it('leaves out the managedFields of what is observed, and nothing else of that name', () => {
    const object = (managedFields: Json | undefined) => ({
      apiVersion: 'v1',
      metadata: { name: 'x', ...(managedFields === undefined ? {} : { managedFields }), uid: 'u' },
      spec: { managedFields: 'kept', metadata: { managedFields: 'kept' } },
    });
    const resource = (fields: Json | undefined) => ({
      resource: object(fields),
      connectionDetails: {},
      ready: 0,
    });
    const message = (fields: Json | undefined): RunFunctionRequest => ({
      ...NOTHING,
      observed: { composite: resource(fields), resources: { a: resource(fields) } },
      requiredResources: { b: { items: [resource(fields)] } },
      desired: { composite: undefined, resources: { c: resource('kept') } },
    });
    const bytes = RunFunctionRequest.encode(message([{ fieldsV1: { 'f:spec': {} } }])).finish();
    assert.deepEqual(decodeRequest(bytes), message(undefined));
  });

  it('reads an empty message', () => {
    assert.deepEqual(decodeRequest(new Uint8Array()), NOTHING);
  });

  it('keeps a key named __proto__ a key, and touches no prototype', () => {
    const name = [...Buffer.from('__proto__')];
    const value = block(5, block(1, block(1, 97), block(2, 32, 1))); // {"a": true}
    const xr = xrOf(withXr(block(1, block(1, name), block(2, value))));
    assert.deepEqual(Object.entries(xr as object), [['__proto__', { a: true }]]);
    assert.equal(Object.getPrototypeOf(xr), Object.prototype);
    assert.equal(({} as { a?: Json }).a, undefined);
    const desired = { composite: undefined, resources: entry('__proto__') };
    const again = encodeResponse({
      meta: undefined,
      desired,
      results: [],
      conditions: [],
      requirements: undefined,
    });
    // Field 2 of a response is its desired state, as field 2 of a request is what is observed.
    const { resources } = decodeRequest(again).observed ?? { resources: {} };
    assert.deepEqual(Object.keys(resources), ['__proto__']);
  });

  const values: readonly { bytes: readonly number[]; value: Json; why: string }[] = [
    { bytes: [], value: null, why: 'a value that says nothing is null' },
    { bytes: [8, 0], value: null, why: 'null is null' },
    { bytes: [32, 0], value: false, why: 'false is false' },
    { bytes: [26, 0], value: '', why: 'an empty string is one' },
    { bytes: [42, 0], value: {}, why: 'an empty object is one' },
    { bytes: [50, 2, 10, 0], value: [null], why: 'a list may hold a value that says nothing' },
    { bytes: [0x78, 1, 26, 1, 65], value: 'A', why: 'fields that are not known are skipped' },
  ];
  for (const { bytes, value, why } of values) {
    it(`knows that ${why}`, () => {
      assert.deepEqual(xrOf(withXr(block(1, block(1, 97), block(2, bytes)))), { a: value });
    });
  }

  const broken: readonly { bytes: readonly number[]; why: string }[] = [
    { bytes: [0x12], why: 'a length is missing' },
    { bytes: [0x12, 5, 1], why: 'a block is longer than the message' },
    { bytes: [0x12, 2, 0x0a, 5], why: 'a block is longer than the block around it' },
    { bytes: [0x0b], why: 'a group begins' },
    { bytes: [0x00], why: 'a tag has no field number' },
    { bytes: Array(12).fill(0xff), why: 'a number does not end' },
    { bytes: [0x79, 1, 2], why: 'a fixed number is cut' },
  ];
  for (const { bytes, why } of broken) {
    it(`refuses bytes when ${why}`, () => {
      assert.throws(() => decodeRequest(Uint8Array.from(bytes)), RangeError);
    });
  }

  it('refuses nesting that would exhaust the stack', () => {
    let bytes: Uint8Array = Uint8Array.from([]);
    for (let i = 0; i < 3000; i++) bytes = prefixed(50, prefixed(10, bytes));
    const field = Buffer.concat([Buffer.from([10, 1, 97]), prefixed(18, bytes)]);
    const xr = prefixed(18, prefixed(10, prefixed(10, prefixed(10, field))));
    assert.throws(() => decodeRequest(xr), RangeError);
  });

  it('answers any bytes with a request or a RangeError', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        try {
          decodeRequest(bytes);
        } catch (error) {
          assert.ok(error instanceof RangeError);
        }
      }),
    );
  });
});

function prefixed(tag: number, content: Uint8Array): Uint8Array {
  const length: number[] = [];
  for (let rest = content.length; ; rest >>= 7) {
    if (rest < 128) {
      length.push(rest);
      break;
    }
    length.push((rest & 127) | 128);
  }
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
}

function entry(key: string) {
  return Object.fromEntries([[key, { resource: {}, connectionDetails: {}, ready: 0 }]]);
}
