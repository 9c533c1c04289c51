import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatFieldPath } from '../../../src/core/field-path.ts';
import type { Json } from '../../../src/core/json.ts';
import { readTestCase } from '../../../src/crossplane/test-case/test-case.ts';

describe('readTestCase()', () => {
  it('fills in what is left out', () => {
    assert.deepEqual(readTestCase({ why: 'it is short' }), {
      why: 'it is short',
      files: {
        xr: undefined,
        observed: undefined,
        required: undefined,
        composition: undefined,
        functions: [],
        xrd: undefined,
      },
      context: {},
      include: ['results'],
      expect: [],
      refused: undefined,
    });
  });

  const problems = (value: Json): Json => {
    const read = readTestCase(value);
    assert.ok(!('why' in read));
    return read.map(({ path, message }) => `${formatFieldPath(path)}: ${message}`);
  };

  for (const [why, value, messages] of [
    [
      'a document that is no object',
      3,
      [
        ': Invalid value: 3: must be an object',
        'why: Required value: one line that says what the case shows',
      ],
    ],
    [
      'wrong types',
      { why: 1, xr: [], observed: [1], context: 'x', expect: {}, refused: 1 },
      [
        'why: Invalid value: 1: must be a string',
        'why: Required value: one line that says what the case shows',
        'xr: Invalid value: []: must be a string',
        'observed: Invalid value: [1]: must be a string or a list of strings',
        'context: Invalid value: "x": must be an object',
        'expect: Invalid value: {}: must be a list',
        'refused: Invalid value: 1: must be a list',
      ],
    ],
    [
      'an unknown part to include',
      { why: 'x', include: ['all'] },
      ['include: Unsupported value: "all": supported values: "results", "full-xr", "context"'],
    ],
    [
      'an expectation that selects nothing',
      { why: 'x', expect: [{ equal: {} }] },
      ['expect[0]: Required value: one of "resource", "kind", "name" that selects documents'],
    ],
    [
      'fields of a document that is absent',
      { why: 'x', expect: [{ kind: 'A', absent: true, present: ['b'] }] },
      ['expect[0].absent: Forbidden: a document that is absent has no fields'],
    ],
    [
      'a field that is none, and a pattern that is none',
      { why: 'x', expect: [{ kind: 'A', equal: { 'a[': 1 }, matching: { b: '(' } }] },
      [
        'expect[0].equal[a[]: Invalid value: "a[": must be a field such as spec.a, list[0], labels[a.b/c] or conditions[type=Ready].status',
        'expect[0].matching.b: Invalid value: "(": must be a regular expression',
      ],
    ],
    [
      'a refusal without a code, and documents beside it',
      { why: 'x', refused: [{ path: 'spec' }], expect: [{ kind: 'A' }] },
      [
        'refused[0].code: Required value: the code of the problem',
        'expect: Forbidden: an XR that is refused has no documents',
      ],
    ],
  ] as const) {
    it(`refuses ${why}`, () => {
      assert.deepEqual(problems(value), messages);
    });
  }
});
