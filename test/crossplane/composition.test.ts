import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Json, JsonObject } from '../../src/core/json.ts';
import { readComposition } from '../../src/crossplane/composition.ts';

describe('readComposition()', () => {
  const object = (spec: JsonObject) => ({
    apiVersion: 'apiextensions.crossplane.io/v1',
    kind: 'Composition',
    metadata: { name: 'c' },
    spec,
  });
  const compositeTypeRef = { apiVersion: 'a/v1', kind: 'K' };
  const one = { step: 's', functionRef: { name: 'f' } };
  for (const [why, spec, path, message] of [
    [
      'a mode that is gone',
      { compositeTypeRef, mode: 'Resources', pipeline: [one] },
      'spec.mode',
      'Unsupported value: "Resources": supported values: "Pipeline"',
    ],
    [
      'an empty pipeline',
      { compositeTypeRef, pipeline: [] },
      'spec.pipeline',
      'Required value: a pipeline has at least one step',
    ],
    [
      'a hundred steps',
      {
        compositeTypeRef,
        pipeline: Array.from({ length: 100 }, (_, i) => ({ ...one, step: `s${i}` })),
      },
      'spec.pipeline',
      'Too many: 100: must have at most 99 items',
    ],
    [
      'two steps of one name',
      { compositeTypeRef, pipeline: [one, one] },
      'spec.pipeline[1].step',
      'Duplicate value: "s"',
    ],
    [
      'a step without a function',
      { compositeTypeRef, pipeline: [{ step: 's' }] },
      'spec.pipeline[0].functionRef.name',
      'Required value',
    ],
    [
      'no kind of XR',
      { compositeTypeRef: { apiVersion: 'a/v1' }, pipeline: [one] },
      'spec.compositeTypeRef.kind',
      'Required value',
    ],
  ] as const satisfies readonly (readonly [string, Json, string, string])[]) {
    it(`refuses ${why}`, () => {
      assert.deepEqual(readComposition(object(spec)), [
        { code: 'COMPOSITION_INVALID', path, message },
      ]);
    });
  }
});
