// Where JSON schema and Kubernetes' structural schemas speak of the same, ajv and our check agree.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Ajv } from 'ajv';
import fc from 'fast-check';
import type { Json, JsonObject } from '../../src/core/json.ts';
import { checkValue } from '../../src/schema/check-value.ts';
import type { Schema } from '../../src/schema/open-api-schema.ts';

const KEYS = ['a', 'b', 'c', 'd'];
const TEXTS = ['', 'a', 'ab', 'abc', 'b-1', 'ä', '😀😀', 'A b'];
const PATTERNS = ['^a', 'b+$', '^[a-z-]+$', '[0-9]', '^.{2}$'];

const text = fc.constantFrom(...TEXTS);
const small = fc.integer({ min: -3, max: 5 });
const scalar: fc.Arbitrary<Json> = fc.oneof(
  text,
  small,
  fc.constantFrom(0.5, 1.5, -2.25),
  fc.boolean(),
  fc.constant(null),
);

const { value } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalar,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom(...KEYS), tie('value'), { maxKeys: 4 }),
  ),
}));

/** Bounds only where they can be kept: a minimum above a maximum is no mistake of either, but says little. */
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const limits = optional(fc.nat({ max: 4 }));

function withoutUndefined(object: { readonly [key: string]: unknown }): Schema {
  return Object.fromEntries(
    Object.entries(object).filter(([, one]) => one !== undefined),
  ) as Schema;
}

const nullable = optional(fc.boolean());

/** JSON schema tries alternatives on null as well, Kubernetes does not. */
function nullableAlone(from: Schema): Schema {
  const { nullable: _, ...rest } = from;
  const hasAlternatives = [from.not, from.anyOf, from.oneOf, from.allOf].some(
    (one) => one !== undefined,
  );
  return hasAlternatives ? rest : from;
}

const { schema } = fc.letrec<{ schema: Schema }>((tie) => ({
  schema: fc.oneof(
    { depthSize: 'small' },
    fc
      .record({
        type: fc.constant('string'),
        nullable,
        minLength: limits,
        maxLength: limits,
        pattern: optional(fc.constantFrom(...PATTERNS)),
        enum: optional(fc.uniqueArray(text, { minLength: 1, maxLength: 3 })),
      })
      .map(withoutUndefined),
    fc
      .record({
        type: fc.constantFrom('integer', 'number'),
        nullable,
        minimum: optional(small),
        maximum: optional(small),
        multipleOf: optional(fc.constantFrom(1, 2, 0.5)),
      })
      .map(withoutUndefined),
    fc.record({ type: fc.constant('boolean'), nullable }).map(withoutUndefined),
    fc
      .record({
        type: fc.constant('array'),
        nullable,
        items: tie('schema'),
        minItems: limits,
        maxItems: limits,
      })
      .map(withoutUndefined),
    fc
      .record({
        type: fc.constant('object'),
        nullable,
        properties: fc.dictionary(fc.constantFrom(...KEYS), tie('schema'), { maxKeys: 3 }),
        required: optional(fc.uniqueArray(fc.constantFrom(...KEYS), { maxLength: 2 })),
        minProperties: limits,
        maxProperties: limits,
        not: optional(fc.constant({ required: ['d'] })),
        anyOf: optional(fc.constant([{ required: ['a'] }, { required: ['b'] }])),
        oneOf: optional(fc.constant([{ required: ['b'] }, { required: ['c'] }])),
        allOf: optional(fc.constant([{ required: ['a'] }, { maxProperties: 3 }])),
      })
      .map(withoutUndefined)
      .map(nullableAlone),
    fc
      .record({
        type: fc.constant('object'),
        nullable,
        additionalProperties: tie('schema'),
        maxProperties: limits,
      })
      .map(withoutUndefined),
    fc.constant<Schema>({ 'x-kubernetes-int-or-string': true }),
  ),
}));

/** The schema in the words of JSON schema: types that may be null, and of an int or a string. */
function toJsonSchema(from: Schema): JsonObject {
  const { nullable: isNullable, type, items, properties, additionalProperties, ...rest } = from;
  const { 'x-kubernetes-int-or-string': isEither, ...kept } = rest;
  const types = isEither === true ? ['integer', 'string'] : [type ?? 'object'];
  return {
    ...(kept as JsonObject),
    ...(type === undefined && isEither !== true
      ? {}
      : { type: isNullable === true ? [...types, 'null'] : types }),
    ...(items === undefined ? {} : { items: toJsonSchema(items) }),
    ...(properties === undefined
      ? {}
      : {
          properties: Object.fromEntries(
            Object.entries(properties).map(([key, child]) => [key, toJsonSchema(child)]),
          ),
        }),
    ...(typeof additionalProperties === 'object'
      ? { additionalProperties: toJsonSchema(additionalProperties) }
      : {}),
  };
}

describe('checkValue()', () => {
  it('accepts what ajv accepts and refuses what ajv refuses', () => {
    const values = fc.array(value, { minLength: 8, maxLength: 8 });
    fc.assert(
      fc.property(schema, values, (from, documents) => {
        const ajv = new Ajv({ strict: false, unicodeRegExp: true });
        const accepts = ajv.compile(toJsonSchema(from));
        assert.deepEqual(
          documents.map((json) => checkValue(json, from).length === 0),
          documents.map((json) => accepts(json)),
        );
      }),
      { numRuns: 200 },
    );
  });

  it('says nothing of an update that changes nothing, whatever is wrong', () => {
    fc.assert(
      fc.property(schema, value, (from, json) => {
        assert.deepEqual(checkValue(json, from, structuredClone(json)), []);
      }),
      { numRuns: 200 },
    );
  });
});
