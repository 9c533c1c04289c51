// What the files and pairs of the options become in the request of a function.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { parseArguments } from '../../src/cli/command.ts';
import { renderCommand } from '../../src/cli/commands/render.ts';
import { ProblemError } from '../../src/core/problem.ts';
import type { RunFunctionRequest } from '../../src/crossplane/protocol.ts';
import { memoryTerminal } from '../support/memory-terminal.ts';
import { recorder } from '../support/render-input.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const XR = `apiVersion: example.org/v1
kind: App
metadata:
  name: demo
  namespace: team-a
spec: {}
`;

const COMPOSITION = `apiVersion: apiextensions.crossplane.io/v1
kind: Composition
metadata:
  name: apps
  labels:
    tier: gold
spec:
  compositeTypeRef:
    apiVersion: example.org/v1
    kind: App
  pipeline:
    - step: one
      functionRef:
        name: recorder
      requirements:
        requiredResources:
          - requirementName: config
            apiVersion: v1
            kind: ConfigMap
            matchLabels:
              a: b
        requiredSchemas:
          - requirementName: deployment
            apiVersion: apps/v1
            kind: Deployment
`;

const SCHEMA = JSON.stringify({
  components: {
    schemas: {
      Options: {
        'x-kubernetes-group-version-kind': [
          { group: 'apps', version: 'v1', kind: 'Deployment' },
          { group: 'apps', version: 'v1', kind: 'StatefulSet' },
        ],
      },
      Deployment: {
        type: 'object',
        'x-kubernetes-group-version-kind': [{ group: 'apps', version: 'v1', kind: 'Deployment' }],
      },
    },
  },
});

const FILES = { 'xr.yaml': XR, 'composition.yaml': COMPOSITION };

async function requestsOf(
  folder: string,
  args: readonly string[],
): Promise<readonly RunFunctionRequest[]> {
  const { run, requests } = recorder([{}]);
  const command = renderCommand(async () => (name) => (name === 'recorder' ? run : undefined));
  const argv = ['xr.yaml', 'composition.yaml', ...args].map((arg) =>
    arg.replace(
      /(^|=)([\w-]+\.yaml|schemas)$/u,
      (_all, before, file) => before + join(folder, file),
    ),
  );
  await command.run(parseArguments(command, argv), memoryTerminal());
  return requests;
}

async function problemsOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    return error.problems.map(({ code, path, message }) => [code, path, message]);
  }
  return 'none';
}

describe('render options', () => {
  it('put values before files into the context', async (test) => {
    const folder = temporaryFolder(test, { ...FILES, 'a.yaml': 'x: 1\n', 'b.yaml': '- on\n' });
    const args = ['--context-files', 'a=a.yaml', '--context-files', 'b=b.yaml'];
    const [request] = await requestsOf(folder, [...args, '--context-values', 'a=x=1']);
    assert.deepEqual(request?.context, { a: 'x=1', b: [true] });
  });

  it('find the schemas of a folder and its folders', async (test) => {
    const folder = temporaryFolder(test, {
      ...FILES,
      'schemas/apps/v1.json': SCHEMA,
      'schemas/x.txt': '',
    });
    const [request] = await requestsOf(folder, ['-s', 'schemas']);
    assert.deepEqual(Object.keys(request?.requiredSchemas ?? {}), ['deployment']);
    assert.equal(request?.requiredSchemas['deployment']?.openapiV3?.['type'], 'object');
  });

  it('find what a step requires by labels, in -e and the older --extra-resources', async (test) => {
    const config = (name: string, label: string) =>
      `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n  labels:\n    a: ${label}\n`;
    const folder = temporaryFolder(test, {
      ...FILES,
      'one.yaml': `${config('z', 'b')}---\n${config('y', 'other')}`,
      'two.yaml': config('a', 'b'),
    });
    const [request] = await requestsOf(folder, ['-e', 'one.yaml', '--extra-resources', 'two.yaml']);
    assert.deepEqual(
      request?.requiredResources['config']?.items.map(
        ({ resource }) => resource?.['metadata'].name,
      ),
      ['a', 'z'],
    );
  });

  it('refuse a schema that is no JSON object, and a folder that is not there', async (test) => {
    const folder = temporaryFolder(test, { ...FILES, 'schemas/a.json': '[1]' });
    assert.deepEqual(await problemsOf(requestsOf(folder, ['-s', 'schemas'])), [
      [
        'FILE_UNREADABLE',
        '',
        `${join(folder, 'schemas', 'a.json')} is no JSON object: expected an OpenAPI v3 document`,
      ],
    ]);
    assert.deepEqual(await problemsOf(requestsOf(folder, ['-s', 'gone'])), [
      ['FILE_UNREADABLE', '', 'cannot read gone: no such file or folder'],
    ]);
  });
});

describe('render refuses a Composition', () => {
  for (const [why, files, problems] of [
    [
      'that does not bear the labels the XR selects',
      {
        'xr.yaml': XR.replace(
          'spec: {}',
          'spec:\n  crossplane:\n    compositionSelector:\n      matchLabels:\n        tier: silver\n',
        ),
        'composition.yaml': COMPOSITION,
      },
      [
        [
          'COMPOSITION_MISMATCH',
          'spec.crossplane.compositionSelector.matchLabels',
          'Composition "apps" has "gold" as its label "tier": expected "silver"',
        ],
      ],
    ],
    [
      'with two steps of one name',
      {
        'xr.yaml': XR,
        'composition.yaml': `${COMPOSITION}    - step: one\n      functionRef:\n        name: recorder\n`,
      },
      [['COMPOSITION_INVALID', 'spec.pipeline[1].step', 'Duplicate value: "one"']],
    ],
    [
      'beside another',
      { 'xr.yaml': XR, 'composition.yaml': `${COMPOSITION}---\n${COMPOSITION}` },
      [['COMPOSITION_INVALID', '', 'found a second Composition: expected one']],
    ],
  ] as const) {
    it(why, async (test) => {
      const folder = temporaryFolder(test, files);
      assert.deepEqual(await problemsOf(requestsOf(folder, [])), problems);
    });
  }
});
