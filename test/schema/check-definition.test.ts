// Definitions that an API server refuses to install, beside the recorded ones.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { projectFile } from '../../src/cli/project.ts';
import type { JsonObject } from '../../src/core/json.ts';
import type { KubeObject } from '../../src/core/kube-object.ts';
import { loadManifests } from '../../src/manifests/load.ts';
import { checkDefinition } from '../../src/schema/check-definition.ts';

const PLACE = 'spec.validation.openAPIV3Schema.properties[spec].default';

function definitionOf(spec: JsonObject): KubeObject {
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec } } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'things.example.org' },
    spec: { versions: [{ name: 'v1', schema }] },
  };
}

function specWith(given: JsonObject, rule: string): JsonObject {
  return {
    type: 'object',
    default: given,
    'x-kubernetes-validations': [{ rule, message: 'must not change' }],
    properties: { enabled: { type: 'boolean', default: true } },
  };
}

describe('checkDefinition()', () => {
  const missing = 'Invalid value: "object": no such key: enabled evaluating rule: must not change';
  const rows: readonly [why: string, spec: JsonObject, messages: readonly string[]][] = [
    ['a rule misses a field of the default', specWith({}, 'self.enabled'), [missing]],
    ['a transition rule misses it too', specWith({}, 'self.enabled == oldSelf.enabled'), [missing]],
    ['the default has what the rule asks for', specWith({ enabled: true }, 'self.enabled'), []],
    [
      'the default breaks the rule',
      specWith({ enabled: true }, '!self.enabled'),
      ['Invalid value: "object": must not change'],
    ],
  ];
  for (const [why, spec, messages] of rows) {
    it(why, () => {
      const found = checkDefinition(definitionOf(spec));
      assert.deepEqual(
        found.map(({ field, message }) => [field, message]),
        messages.map((message) => [PLACE, message]),
      );
    });
  }

  it('finds nothing in our own XRD', () => {
    const [xrd] = loadManifests([projectFile('apis', 'celldstacks', 'definition.yaml')]);
    assert.ok(xrd !== undefined);
    assert.deepEqual(checkDefinition(xrd.object), []);
  });
});
