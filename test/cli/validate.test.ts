// The validate command as a person types it: what it prints, where, and its exit codes.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { main } from '../../src/cli/main.ts';
import { projectFile } from '../../src/cli/project.ts';
import { remediesOf } from '../../src/cli/validate/hints.ts';
import { PROBLEM_CODES } from '../../src/core/problem-codes.ts';
import { memoryTerminal } from '../support/memory-terminal.ts';
import { runCli } from '../support/run-cli.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const XR = `apiVersion: hops.ops.com.ai/v1alpha1
kind: CelldStack
metadata:
  name: fleet
  namespace: team-a
spec:
  clusterName: hub
`;

async function validate(
  test: TestContext,
  files: { readonly [name: string]: string },
  ...args: readonly string[]
): Promise<{ code: number; stdout: string; stderr: string }> {
  const folder = temporaryFolder(test, files);
  const terminal = memoryTerminal();
  const placed = args.map((arg) =>
    arg
      .split(',')
      .map((part) => (Object.hasOwn(files, part) ? join(folder, part) : part))
      .join(','),
  );
  const code = await main(['validate', ...placed], terminal);
  const local = (text: string) => text.replaceAll(join(folder, '/'), '');
  return { code, stdout: local(terminal.stdout()), stderr: local(terminal.stderr()) };
}

const GVK = 'hops.ops.com.ai/v1alpha1, Kind=CelldStack, fleet';

describe('celld-stack validate', () => {
  it('prints a line for what is valid and a summary, and exits with 0', async (test) => {
    assert.deepEqual(await validate(test, { 'xr.yaml': XR }, 'xr.yaml'), {
      code: 0,
      stdout: `[✓] ${GVK} validated successfully\nTotal 1 resources: 0 missing schemas, 1 success cases, 0 failure cases\n`,
      stderr: '',
    });
  });

  it('prints each error in the words of the official tool, with its place, and exits with 1', async (test) => {
    const text = `${XR}  replicaCout: 3\n  bucket: s3://a\n`;
    assert.deepEqual(await validate(test, { 'xr.yaml': text }, 'xr.yaml'), {
      code: 1,
      stdout: [
        `[x] schema validation error ${GVK} : spec.replicaCout: Invalid value: "replicaCout": unknown field: "replicaCout" (xr.yaml:8:3)`,
        `[x] CEL validation error ${GVK} : spec.bucket: Invalid value: "s3://a": an S3 bucket name has 3 to 63 lower-case letters, digits, dots and hyphens, begins and ends with a letter or digit, and is no IP address (xr.yaml:9:3)`,
        'Total 1 resources: 0 missing schemas, 0 success cases, 1 failure cases\n',
      ].join('\n'),
      stderr: 'error: could not validate all resources\n',
    });
  });

  it('leaves out what is valid when asked to', async (test) => {
    const { stdout } = await validate(test, { 'xr.yaml': XR }, 'xr.yaml', '--skip-success-results');
    assert.equal(
      stdout,
      'Total 1 resources: 0 missing schemas, 1 success cases, 0 failure cases\n',
    );
  });

  it('says what to do about a code when asked to', async (test) => {
    const text = XR.replace('clusterName', 'clusterNam');
    const { stdout } = await validate(test, { 'xr.yaml': text }, 'xr.yaml', '--fix-hint');
    assert.deepEqual(
      stdout.split('\n').filter((line) => line.startsWith('    hint:')),
      [
        '    hint: add the field',
        '    hint: write spec.clusterName',
        '    hint: mend the other errors and check again',
      ],
    );
  });

  it('counts a kind nobody defines as a missing schema, an error only when asked', async (test) => {
    const other = 'apiVersion: example.org/v1\nkind: Thing\nmetadata:\n  name: a\n';
    const line =
      '[!] could not find CRD/XRD for: example.org/v1, Kind=Thing\nTotal 1 resources: 1 missing schemas, 0 success cases, 0 failure cases\n';
    assert.deepEqual(await validate(test, { 'a.yaml': other }, 'a.yaml'), {
      code: 0,
      stdout: line,
      stderr: '',
    });
    assert.deepEqual(
      await validate(test, { 'a.yaml': other }, 'a.yaml', '--error-on-missing-schemas'),
      {
        code: 1,
        stdout: line,
        stderr: 'error: could not validate all resources, schema(s) missing\n',
      },
    );
  });

  it('takes extensions before resources, lists separated by commas, and the official options', async (test) => {
    const crd = readFileSync(projectFile('test', 'data', 'api-server', 'xrd.yaml'), 'utf8');
    const probe = (name: string, spec: string) =>
      `apiVersion: probe.example.org/v1\nkind: Probe\nmetadata:\n  name: ${name}\nspec:\n  ${spec}\n`;
    const { code, stdout } = await validate(
      test,
      { 'xrd.yaml': crd, 'a.yaml': probe('a', 'must: m'), 'b.yaml': probe('b', 'must: ""') },
      'xrd.yaml',
      'a.yaml,b.yaml',
      ...['--cache-dir', 'x', '--crossplane-image', 'y', '--clean-cache', '--update-cache'],
    );
    assert.equal(code, 1);
    assert.deepEqual(stdout.split('\n'), [
      '[✓] probe.example.org/v1, Kind=Probe, a validated successfully',
      '[x] schema validation error probe.example.org/v1, Kind=Probe, b : spec.must: Invalid value: "": spec.must in body should be at least 1 chars long (b.yaml:6:3)',
      'Total 2 resources: 0 missing schemas, 1 success cases, 1 failure cases',
      '',
    ]);
  });

  it('checks transition rules against what the resources were before', async (test) => {
    const files = {
      'old.yaml': `${XR}  namespace: one\n`,
      'new.yaml': `${XR}  namespace: two\n`,
    };
    assert.equal((await validate(test, files, 'new.yaml')).code, 0);
    const { code, stdout } = await validate(test, files, '--previous', 'old.yaml', 'new.yaml');
    assert.equal(code, 1);
    assert.equal(
      stdout.split('\n')[0],
      `[x] CEL validation error ${GVK} : spec.namespace: Forbidden: the namespace cannot change: a running fleet does not move; create another CelldStack instead (new.yaml:8:3)`,
    );
  });

  it('takes what kubectl prints: a List with managed fields, status and defaults', async (test) => {
    const list = `apiVersion: v1
kind: List
metadata:
  resourceVersion: ""
items:
- apiVersion: hops.ops.com.ai/v1alpha1
  kind: CelldStack
  metadata:
    creationTimestamp: "2026-01-01T00:00:00Z"
    finalizers: [composite.apiextensions.crossplane.io]
    generation: 2
    labels: {crossplane.io/composite: fleet}
    managedFields:
    - apiVersion: hops.ops.com.ai/v1alpha1
      fieldsType: FieldsV1
      fieldsV1: {f:spec: {f:clusterName: {}}}
      manager: kubectl
      operation: Update
    name: fleet
    namespace: team-a
    resourceVersion: "42"
    uid: 00000000-0000-4000-8000-000000000000
  spec:
    clusterName: hub
    crossplane:
      compositionRef: {name: celldstacks.hops.ops.com.ai}
      compositionUpdatePolicy: Automatic
    region: us-east-2
    replicaCount: 0
  status:
    conditions:
    - {type: Ready, status: "True", reason: Available, lastTransitionTime: "2026-01-01T00:00:00Z"}
    ready: true
`;
    assert.deepEqual(
      (await validate(test, { 'list.yaml': list }, 'list.yaml')).stdout.split('\n'),
      [
        `[x] schema validation error ${GVK} : spec.replicaCount: Invalid value: 0: spec.replicaCount in body should be greater than or equal to 1 (list.yaml:29:5)`,
        'Total 1 resources: 0 missing schemas, 0 success cases, 1 failure cases',
        '',
      ],
    );
  });

  it('gives the official report as JSON and YAML, with code and place', async (test) => {
    const text = `${XR}  replicaCount: 0\n`;
    const expected = {
      summary: { total: 1, valid: 0, invalid: 1, missingSchemas: 0 },
      resources: [
        {
          apiVersion: 'hops.ops.com.ai/v1alpha1',
          kind: 'CelldStack',
          name: 'fleet',
          namespace: 'team-a',
          source: 'xr.yaml',
          status: 'invalid',
          errors: [
            {
              type: 'schema',
              field: 'spec.replicaCount',
              message:
                'spec.replicaCount: Invalid value: 0: spec.replicaCount in body should be greater than or equal to 1',
              code: 'FIELD_INVALID',
              file: 'xr.yaml',
              line: 8,
              column: 3,
              value: 0,
            },
          ],
        },
      ],
    };
    const json = await validate(test, { 'xr.yaml': text }, 'xr.yaml', '-o', 'json');
    assert.deepEqual(JSON.parse(json.stdout), expected);
    const yaml = await validate(test, { 'xr.yaml': text }, 'xr.yaml', '-o', 'yaml');
    assert.equal(yaml.stdout.split('\n')[0], 'resources:');
    assert.deepEqual([json.code, yaml.code], [1, 1]);
  });

  for (const [why, args, message] of [
    ['a third argument', ['a', 'b', 'c'], 'unexpected argument "c"'],
    [
      'standard input for both',
      ['-', '-'],
      'standard input cannot be both extensions and resources',
    ],
    ['--previous alone', ['--previous', 'a'], '--previous needs the resources that replace it'],
  ] as const) {
    it(`refuses ${why}, and exits with 2`, async (test) => {
      const { code, stdout, stderr } = await validate(test, {}, ...args);
      assert.deepEqual([code, stdout], [2, '']);
      assert.equal(stderr.split('\n')[0], `error USAGE: ${message}`);
    });
  }

  it('reads standard input, and writes nothing else to standard output', async () => {
    const { code, stdout, stderr } = await runCli(['validate', '-'], {
      input: XR.replace('hub', '[1]'),
    });
    assert.equal(code, 1);
    assert.equal(
      stdout.split('\n')[0],
      `[x] schema validation error ${GVK} : spec.clusterName: Invalid value: "array": spec.clusterName in body must be of type string: "array" (stdin:7:3)`,
    );
    assert.equal(stderr, 'error: could not validate all resources\n');
  });

  it('finds nothing wrong with all of celld-stack itself', async () => {
    const terminal = memoryTerminal();
    const code = await main(['validate', '--output', 'json'], terminal);
    const { summary, resources } = JSON.parse(terminal.stdout());
    const wrong = resources.filter(({ status }: { status: string }) => status === 'invalid');
    assert.deepEqual(wrong, []);
    assert.deepEqual([code, summary.invalid], [0, 0]);
    const kinds = new Set(resources.map(({ kind }: { kind: string }) => kind));
    const wanted = [
      'Bucket',
      'CelldStack',
      'CompositeResourceDefinition',
      'Composition',
      'Configuration',
      'Function',
      'Object',
      'PodIdentity',
      'Release',
      'StatefulSet',
      'Usage',
    ];
    assert.deepEqual(
      wanted.filter((kind) => !kinds.has(kind)),
      [],
    );
  });
});

describe('docs/errors.md', () => {
  it('has a remedy for each code', () => {
    const remedies = remediesOf(readFileSync(projectFile('docs', 'errors.md'), 'utf8'));
    assert.deepEqual(
      PROBLEM_CODES.filter((code) => (remedies.get(code) ?? '') === ''),
      [],
    );
  });
});
