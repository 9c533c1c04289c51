// Fields as the API server writes them, seen on a real one.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { schemaFinding } from '../../src/schema/finding.ts';

describe('schemaFinding()', () => {
  const rows: readonly [path: readonly (string | number)[], field: string][] = [
    [[], '<nil>'],
    [['spec', 'rules', 2, 'name'], 'spec.rules[2].name'],
    [['spec', 'annotations', 'iam.gke.io/account'], 'spec.annotations.iam.gke.io/account'],
  ];
  for (const [path, field] of rows) {
    it(`writes ${field}`, () => {
      assert.equal(schemaFinding(path, 'FieldValueInvalid', 'Invalid value').field, field);
    });
  }
});
