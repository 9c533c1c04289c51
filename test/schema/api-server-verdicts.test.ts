// The recorded verdicts of a real API server (test/data/api-server) are ours too.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { projectFile } from '../../src/cli/project.ts';
import { type JsonObject, listAt, objectAt, stringAt, valueAt } from '../../src/core/json.ts';
import type { KubeObject } from '../../src/core/kube-object.ts';
import { parseYaml } from '../../src/manifests/yaml.ts';
import { checkDefinition } from '../../src/schema/check-definition.ts';
import { type Finding, firstAnswer } from '../../src/schema/finding.ts';
import { resourceSchema } from '../../src/schema/resource-schema.ts';

function data(name: string): JsonObject {
  const file = projectFile('test', 'data', 'api-server', name);
  return parseYaml(readFileSync(file, 'utf8'), name).documents[0]?.value as JsonObject;
}

const probe = resourceSchema(data('xrd.yaml') as KubeObject, 'v1');
const verdicts = data('verdicts.yaml');

function probeOf(spec: JsonObject, name = 'probe'): JsonObject {
  return {
    apiVersion: 'probe.example.org/v1',
    kind: 'Probe',
    metadata: { name, namespace: 'default' },
    spec,
  };
}

/** The causes the API server gave; a decoding error has none, it names its fields in the message. */
function recorded(verdict: JsonObject): readonly string[] {
  if (verdict['accepted'] === true) return [];
  const causes = listAt(verdict, 'causes');
  if (causes.length > 0) {
    return causes.map((cause) =>
      [stringAt(cause, 'field'), stringAt(cause, 'reason'), stringAt(cause, 'message')].join(' | '),
    );
  }
  const unknown = (stringAt(verdict, 'message') ?? '').matchAll(
    /unknown field "(?<field>[^"]+)"/gu,
  );
  return [...unknown].map((match) => `unknown ${match.groups?.['field']}`);
}

function ours(findings: readonly Finding[]): readonly string[] {
  return firstAnswer(findings).map(({ type, field, reason, message }) =>
    type === 'unknownField' ? `unknown ${field}` : [field, reason, message].join(' | '),
  );
}

const sorted = (lines: readonly string[]) => [...lines].sort();

describe('check() on create', () => {
  for (const verdict of listAt(verdicts, 'create') as readonly JsonObject[]) {
    it(`says of "${stringAt(verdict, 'case')}" what the API server says`, () => {
      const object = probeOf(objectAt(verdict, 'spec'));
      assert.deepEqual(sorted(ours(probe.check(object))), sorted(recorded(verdict)));
      if (verdict['accepted'] === true) {
        assert.deepEqual(probe.applyDefaults(object)['spec'], verdict['spec']);
      }
    });
  }
});

describe('check() on update', () => {
  for (const verdict of listAt(verdicts, 'update') as readonly JsonObject[]) {
    it(`says of "${stringAt(verdict, 'case')}" what the API server says`, () => {
      const object = probeOf(objectAt(verdict, 'new'));
      const findings = probe.check(object, probeOf(objectAt(verdict, 'old')));
      assert.deepEqual(sorted(ours(findings)), sorted(recorded(verdict)));
      if (verdict['accepted'] === true) {
        assert.deepEqual(probe.applyDefaults(object)['spec'], verdict['spec']);
      }
    });
  }
});

describe('check() of names', () => {
  for (const verdict of listAt(verdicts, 'names') as readonly JsonObject[]) {
    const name = String(valueAt(verdict, 'name'));
    it(`says of the name "${name}" what the API server says`, () => {
      const findings = probe.check(probeOf({ must: 'm' }, name));
      assert.deepEqual(sorted(ours(findings)), sorted(recorded(verdict)));
    });
  }
});

describe('checkDefinition()', () => {
  for (const verdict of listAt(verdicts, 'install') as readonly JsonObject[]) {
    it(`says of "${stringAt(verdict, 'case')}" what the API server says`, () => {
      const findings = checkDefinition(definitionOf(objectAt(verdict, 'schema')));
      assert.deepEqual(
        sorted(findings.map(({ field, message }) => `${field} | ${upToSyntax(message)}`)),
        sorted(
          listAt(verdict, 'causes').map((cause) =>
            [stringAt(cause, 'field'), upToSyntax(stringAt(cause, 'message') ?? '')].join(' | '),
          ),
        ),
      );
    });
  }
});

/** What a parser says of a text it cannot read is its own affair; that it cannot, and where, is not. */
function upToSyntax(message: string): string {
  return message.replace(/Syntax error: [\s\S]*$/u, 'Syntax error');
}

function definitionOf(spec: JsonObject): KubeObject {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'bads.example.org' },
    spec: {
      group: 'example.org',
      names: { kind: 'Bad', plural: 'bads' },
      scope: 'Namespaced',
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
        },
      ],
    },
  };
}
