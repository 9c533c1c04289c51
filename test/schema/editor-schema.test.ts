// schemas/celldstack.schema.json is what editors check XRs with; test/generated.test.ts holds it fresh.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { Ajv } from 'ajv';
import { projectFile } from '../../src/cli/project.ts';
import { parseYaml } from '../../src/manifests/yaml.ts';

const schema = JSON.parse(
  readFileSync(projectFile('schemas', 'celldstack.schema.json'), 'utf8'),
) as object;
const validate = new Ajv({ strict: false, allErrors: true }).compile(schema);
const examples = readdirSync(projectFile('examples', 'celldstacks')).map((name) => {
  const text = readFileSync(projectFile('examples', 'celldstacks', name), 'utf8');
  return { name, text, documents: parseYaml(text, name).documents.map(({ value }) => value) };
});

function errorsOf(document: unknown): readonly string[] {
  validate(document);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

describe('schemas/celldstack.schema.json', () => {
  for (const { name, text, documents } of examples) {
    it(`is named in the first line of ${name} and has nothing against it`, () => {
      assert.equal(
        text.split('\n')[0],
        '# yaml-language-server: $schema=../../schemas/celldstack.schema.json',
      );
      assert.deepEqual(documents.flatMap(errorsOf), []);
    });
  }

  const minimal = {
    apiVersion: 'hops.ops.com.ai/v1alpha1',
    kind: 'CelldStack',
    metadata: { name: 'celld' },
    spec: { clusterName: 'c' },
  };
  for (const [why, document, wanted] of [
    [
      'a misspelled field',
      { ...minimal, spec: { clusterName: 'c', replicaCout: 3 } },
      ['/spec must NOT have additional properties', ' must match "then" schema'],
    ],
    [
      'a wrong type',
      { ...minimal, spec: { clusterName: 'c', replicaCount: 'three' } },
      ['/spec/replicaCount must be integer', ' must match "then" schema'],
    ],
    [
      'a missing field',
      { ...minimal, spec: {} },
      ["/spec must have required property 'clusterName'", ' must match "then" schema'],
    ],
    ['another kind, which it leaves alone', { ...minimal, kind: 'Other', spec: 3 }, []],
  ] as const) {
    it(`tells of ${why}`, () => {
      assert.deepEqual(errorsOf(document), wanted);
    });
  }
});
