// What the API server fills in, drops and refuses around the values of an object.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Json, JsonObject } from '../../src/core/json.ts';
import { applyDefaults } from '../../src/schema/apply-defaults.ts';
import { checkEmbedded, checkMetadata, decodeMetadata } from '../../src/schema/check-metadata.ts';
import type { Schema } from '../../src/schema/open-api-schema.ts';
import { pruneUnknown } from '../../src/schema/unknown-fields.ts';

const text: Schema = { type: 'string' };

describe('applyDefaults()', () => {
  const schema: Schema = {
    type: 'object',
    properties: {
      a: { type: 'string', default: 'x' },
      n: { type: 'string', nullable: true },
      nd: { type: 'string', nullable: true, default: 'd' },
      plain: text,
      inner: { type: 'object', properties: { b: { type: 'integer', default: 2 } } },
      full: {
        type: 'object',
        default: {},
        properties: { b: { type: 'integer', default: 2 } },
      },
      list: {
        type: 'array',
        items: { type: 'object', properties: { b: { ...text, default: 'y' } } },
      },
      map: { type: 'object', additionalProperties: { type: 'string', default: 'z' } },
    },
  };
  const base = { a: 'x', nd: 'd', full: { b: 2 } };
  const rows: readonly (readonly [why: string, given: Json, filled: Json])[] = [
    ['fills in what is absent, and objects with a default', {}, base],
    ['keeps what is there', { a: 'q', nd: 'r' }, { ...base, a: 'q', nd: 'r' }],
    ['takes null for absent where none is allowed', { a: null, plain: null }, base],
    ['keeps null where it is allowed', { n: null, nd: null }, { ...base, n: null, nd: null }],
    [
      'does not make an object for the defaults within',
      { inner: {} },
      { ...base, inner: { b: 2 } },
    ],
    ['goes through lists', { list: [{}, { b: 'q' }] }, { ...base, list: [{ b: 'y' }, { b: 'q' }] }],
    ['goes through maps', { map: { k: null, l: 'm' } }, { ...base, map: { k: 'z', l: 'm' } }],
    [
      'leaves values of another type alone',
      { list: 'no', map: 3 },
      { ...base, list: 'no', map: 3 },
    ],
  ];
  for (const [why, given, filled] of rows) {
    it(why, () => assert.deepEqual(applyDefaults(given, schema), filled));
  }

  it('changes nothing the second time', () => {
    const values = fc.dictionary(
      fc.constantFrom('a', 'n', 'nd', 'plain', 'inner', 'full', 'list', 'map', 'other'),
      fc.constantFrom<Json>(null, 'q', {}, [], [{}], { b: null }, { k: null }),
    );
    fc.assert(
      fc.property(values, (given) => {
        const once = applyDefaults(given, schema);
        assert.deepEqual(applyDefaults(once, schema), once);
      }),
      { numRuns: 200 },
    );
  });
});

describe('pruneUnknown()', () => {
  const schema: Schema = {
    type: 'object',
    properties: {
      known: text,
      inner: { type: 'object', properties: { a: text } },
      list: { type: 'array', items: { type: 'object', properties: { a: text } } },
      map: { type: 'object', additionalProperties: { type: 'object', properties: { a: text } } },
      any: { type: 'object', additionalProperties: true },
      free: {
        type: 'object',
        'x-kubernetes-preserve-unknown-fields': true,
        properties: { closed: { type: 'object', properties: { a: text } } },
      },
      emb: {
        type: 'object',
        'x-kubernetes-embedded-resource': true,
        properties: { spec: { type: 'object', properties: { a: text } } },
      },
    },
  };
  const rows: readonly (readonly [why: string, given: JsonObject, unknown: readonly string[]])[] = [
    [
      'keeps what is declared, and what every resource has',
      { apiVersion: 'v1', kind: 'K', metadata: { x: 1 }, known: 'a' },
      [],
    ],
    [
      'finds fields at every depth',
      { x: 1, inner: { x: 1 }, list: [{ a: '', x: 1 }] },
      ['x', 'inner.x', 'list.0.x'],
    ],
    ['looks at the values of maps, not at their keys', { map: { k: { x: 1 } } }, ['map.k.x']],
    [
      'leaves free objects alone, not the closed ones in them',
      { free: { x: { y: 1 }, closed: { x: 1 } } },
      ['free.closed.x'],
    ],
    [
      'drops what is within a map of anything, as the API server does',
      { any: { k: { x: 1 }, l: 3 } },
      ['any.k.x'],
    ],
    [
      'knows the head of embedded resources',
      { emb: { apiVersion: 'v1', kind: 'K', metadata: {}, x: 1, spec: {} } },
      ['emb.x'],
    ],
    ['looks into a map where a list is wanted', { list: { x: 1 } }, ['list.x']],
  ];
  for (const [why, given, unknown] of rows) {
    it(why, () => {
      const pruned = pruneUnknown(given, schema);
      assert.deepEqual(
        pruned.unknown.map((path) => path.join('.')),
        unknown,
      );
      assert.deepEqual(pruneUnknown(pruned.value, schema), { value: pruned.value, unknown: [] });
    });
  }
});

function shown(findings: ReturnType<typeof checkMetadata>): readonly string[] {
  return findings.map(({ field, message }) => `${field}: ${message.split(' (e.g.')[0]}`);
}

describe('checkMetadata()', () => {
  const name = 'a';
  const rows: readonly (readonly [metadata: JsonObject, findings: readonly string[]])[] = [
    [{ name }, []],
    [{ generateName: 'a-' }, []],
    [
      { name, namespace: 'Team' },
      [
        'metadata.namespace: Invalid value: "Team": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or \'-\', and must start and end with an alphanumeric character',
      ],
    ],
    [
      { name: 'a'.repeat(254) },
      [`metadata.name: Invalid value: "${'a'.repeat(254)}": must be no more than 253 characters`],
    ],
    [
      { name, labels: { 'a/b/c': 'x' } },
      [
        "metadata.labels: Invalid value: \"a/b/c\": a valid label key must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
      ],
    ],
    [
      { name, labels: { '/b': 'x' } },
      ['metadata.labels: Invalid value: "/b": prefix part must be non-empty'],
    ],
    [
      { name, labels: { a: 'x'.repeat(64) } },
      [`metadata.labels: Invalid value: "${'x'.repeat(64)}": must be no more than 63 bytes`],
    ],
    [
      { name, labels: { a: '-x' } },
      [
        "metadata.labels: Invalid value: \"-x\": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
      ],
    ],
    [{ name, labels: { 'example.org/a': '' }, annotations: { 'example.org/A_b': 'any text' } }, []],
  ];
  for (const [metadata, findings] of rows) {
    it(`says ${findings.length} of ${JSON.stringify(metadata).slice(0, 60)}`, () => {
      assert.deepEqual(shown(checkMetadata({ metadata })), findings);
    });
  }
});

describe('decodeMetadata()', () => {
  for (const [metadata, fields] of [
    [
      { name: 3, labels: [], annotations: { a: 1 }, generation: 'x' },
      ['metadata.name', 'metadata.labels', 'metadata.annotations.a', 'metadata.generation'],
    ],
    [
      { ownerReferences: [{ apiVersion: 'v1', kind: 'K', name: 'a', uid: 'u', owner: true }] },
      ['metadata.ownerReferences[0].owner'],
    ],
    [{ nam: 'a' }, ['metadata.nam']],
    [null, []],
    ['a', ['metadata']],
  ] as const) {
    it(`finds ${fields.length} in ${JSON.stringify(metadata)}`, () => {
      assert.deepEqual(
        decodeMetadata(metadata as Json, ['metadata']).map(({ field }) => field),
        fields,
      );
    });
  }
});

describe('checkEmbedded()', () => {
  const schema: Schema = {
    type: 'object',
    properties: {
      list: { type: 'array', items: { type: 'object', 'x-kubernetes-embedded-resource': true } },
    },
  };
  it('asks for the head of each resource inside another', () => {
    const list = [
      { apiVersion: 'v1', kind: 'K', metadata: { name: 'Any_Name' } },
      { kind: 'K', metadata: { name: 'a/b', labels: { a: 1 } } },
    ];
    assert.deepEqual(shown(checkEmbedded({ list }, schema)), [
      'list[1].apiVersion: Required value',
      'list[1].metadata.labels.a: Invalid value: "integer": must be of type string: "integer"',
      'list[1].metadata.name: Invalid value: "a/b": may not contain \'/\'',
    ]);
  });
});
