import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fieldHint } from '../../../src/cli/render/field-hint.ts';

const SCHEMA = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        replicaCount: { type: 'integer' },
        releaseName: { type: 'string' },
        aws: { type: 'object', properties: { enabled: { type: 'boolean' }, region: {} } },
        rules: { type: 'array', items: { type: 'object', properties: { from: {}, to: {} } } },
        many: {
          type: 'object',
          properties: Object.fromEntries(Array.from({ length: 13 }, (_, i) => [`field${i}`, {}])),
        },
      },
    },
  },
} as const;

describe('fieldHint()', () => {
  for (const [path, hint, why] of [
    [['spec', 'replicaCuont'], 'write spec.replicaCount', 'letters that changed places'],
    [
      ['spec', 'replicas'],
      'choose one of aws, many, releaseName, replicaCount, rules',
      'another word',
    ],
    [['spec', 'ReleaseName'], 'write spec.releaseName', 'another case'],
    [['spec', 'aws', 'enable'], 'write spec.aws.enabled', 'a letter too few'],
    [['spec', 'rules', 1, 'form'], 'write spec.rules[1].from', 'a field of a list item'],
    [['spec', 'many', 'xyz'], undefined, 'a place for too many fields'],
    [['spec', 'gone', 'x'], undefined, 'a place that is not there'],
  ] as const) {
    it(`tells ${why}`, () => {
      assert.equal(fieldHint(SCHEMA, path), hint);
    });
  }
});
