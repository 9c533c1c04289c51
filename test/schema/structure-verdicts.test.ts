// Two hundred more verdicts of a real API server: types, formats, alternatives, sets, heads, metadata.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { projectFile } from '../../src/cli/project.ts';
import type { JsonObject } from '../../src/core/json.ts';
import { firstAnswer } from '../../src/schema/finding.ts';
import { resourceSchema } from '../../src/schema/resource-schema.ts';

interface Recorded {
  readonly properties: JsonObject;
  readonly cases: readonly {
    readonly spec?: JsonObject;
    readonly metadata?: JsonObject;
    /** Field, reason and message of each cause, sorted; an unknown field by its name. */
    readonly refused?: readonly string[];
    readonly stored?: JsonObject;
  }[];
}

const file = projectFile('test', 'data', 'api-server', 'structure.json');
const { properties, cases } = JSON.parse(readFileSync(file, 'utf8')) as Recorded;
const schema = {
  openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties } } },
};
const kind = resourceSchema(
  {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'structs.s.example.org' },
    spec: {
      group: 's.example.org',
      names: { kind: 'Struct', plural: 'structs' },
      scope: 'Namespaced',
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  },
  'v1',
);

describe('check() of every feature of a schema', () => {
  for (const { spec = {}, metadata = { name: 'x' }, refused = [], stored } of cases) {
    const shown = JSON.stringify(Object.keys(spec).length > 0 ? spec : metadata).slice(0, 70);
    it(`says of ${shown} what the API server says`, () => {
      const object = { metadata: { ...metadata, namespace: 'default' }, spec };
      const found = firstAnswer(kind.check(object)).map(({ type, field, reason, message }) =>
        type === 'unknownField' ? `unknown ${field}` : [field, reason, message].join(' | '),
      );
      assert.deepEqual([...found].sort(), refused);
      if (stored !== undefined) assert.deepEqual(kind.applyDefaults(object)['spec'], stored);
    });
  }
});
