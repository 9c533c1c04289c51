// String formats, as the API server's own validator takes and refuses them.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hasFormat } from '../../src/schema/formats.ts';

const ROWS: readonly (readonly [
  format: string,
  taken: readonly string[],
  refused: readonly string[],
])[] = [
  [
    'date-time',
    ['2026-01-01T00:00:00Z', '2026-01-01t00:00:00.123456789+02:00'],
    ['2026-01-01', '2026-01-01T00:00:00', '2026-01-01T24:00:00Z', '2026-02-30T00:00:00Z', ''],
  ],
  ['date', ['2026-02-28', '2028-02-29'], ['2026-02-29', '2026-13-01', '26-01-01', '2026-1-1']],
  ['duration', ['1h30m', '1 hour', '2 weeks', '0', '-5s'], ['', 'soon', '1', 'h']],
  ['ipv4', ['1.2.3.4', '01.2.3.4'], ['1.2.3', '1.2.3.256', '::1']],
  ['ipv6', ['::1', '2001:db8::1'], ['1.2.3.4', 'fe80::1%eth0', ':::']],
  ['cidr', ['10.0.0.0/8', '10.0.0.0/08', '::1/128'], ['10.0.0.0', '10.0.0.0/33', '::/129']],
  ['mac', ['00:1b:44:11:3a:b7', '00-1b-44-11-3a-b7', '001b.4411.3ab7'], ['00:1b:44', '001b4411']],
  ['uri', ['https://a.b/c', '/path', 'mailto:x'], ['not a uri', 'http://a b/', '', 'a/b']],
  ['email', ['a@b.c', 'A B <a@b.c>'], ['x', 'a@', '@b', 'a@b@c']],
  ['hostname', ['a', 'a-b.cd', 'example.org'], ['a-b.c', '_bad_', '-a', 'a..b', '']],
  [
    'uuid',
    ['123e4567-e89b-12d3-a456-426614174000', '123E4567E89B12D3A456426614174000'],
    ['123e4567', 'g23e4567-e89b-12d3-a456-426614174000'],
  ],
  ['uuid4', ['123e4567-e89b-42d3-a456-426614174000'], ['123e4567-e89b-12d3-a456-426614174000']],
  ['byte', ['aGk=', 'YQ=='], ['***', 'aGk', 'a b=']],
  ['isbn', ['0306406152', '978-0-306-40615-7'], ['0306406153', '9780306406158', 'x']],
  ['creditcard', ['4111 1111 1111 1111'], ['1234']],
  ['ssn', ['111-22-3333'], ['111-2-3333']],
  ['hexcolor', ['#fff', 'a1b2c3'], ['#ff', 'red']],
  ['rgbcolor', ['rgb(1, 2, 255)'], ['rgb(1,2)', 'rgb(1,2,256)']],
  ['bsonobjectid', ['507f1f77bcf86cd799439011'], ['507f']],
  ['k8s-short-name', ['a-b'], ['a.b', 'A', 'a'.repeat(64)]],
  ['k8s-long-name', ['a.b'], ['a_b', 'a'.repeat(254)]],
  ['password', ['anything'], []],
  ['nonsense', ['anything', ''], []],
];

describe('hasFormat()', () => {
  for (const [format, taken, refused] of ROWS) {
    it(`knows ${format}`, () => {
      assert.deepEqual(
        [...taken, ...refused].map((text) => [text, hasFormat(text, format)]),
        [...taken.map((text) => [text, true]), ...refused.map((text) => [text, false])],
      );
    });
  }
});
