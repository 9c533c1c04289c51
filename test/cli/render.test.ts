// The render command as a person runs it: output, messages and exit code whole.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { projectFile } from '../../src/cli/project.ts';
import { type Json, stringAt, valueAt } from '../../src/core/json.ts';
import { parseYaml } from '../../src/manifests/yaml.ts';
import { runCli } from '../support/run-cli.ts';
import { runMain } from '../support/run-main.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const XR = `apiVersion: hops.ops.com.ai/v1alpha1
kind: CelldStack
metadata:
  name: demo
  namespace: team-a
spec:
  clusterName: hub
  bucket: s3://acme-cells
`;

function documentsOf(text: string): readonly Json[] {
  return parseYaml(text, 'stdout').documents.map(({ value }) => value);
}

function kindsOf(text: string): readonly (string | undefined)[] {
  return documentsOf(text).map((document) => stringAt(document, 'kind'));
}

function keyOf(document: Json): string | undefined {
  const annotation = 'crossplane.io/composition-resource-name';
  return stringAt(document, 'metadata', 'annotations', annotation);
}

describe('celld-stack render', () => {
  it('renders every example, and says whose documents follow', async () => {
    const { code, stdout, stderr } = await runCli(['render']);
    const xrs = documentsOf(stdout).filter((one) => stringAt(one, 'kind') === 'CelldStack');
    const lines = stderr.trimEnd().split('\n');
    const named = lines.filter((line) =>
      /^examples\/celldstacks\/[\w-]+\.yaml: CelldStack /u.test(line),
    );
    assert.equal(code, 0);
    assert.equal(named.length, xrs.length);
    assert.deepEqual(
      lines.filter((line) => !named.includes(line)),
      [
        'note: examples/celldstacks/external-secrets.yaml: passes over ExternalSecret celld/celld-keys',
      ],
    );
  });

  it('gives the same for a file, a folder and standard input, from any folder', async (test) => {
    const cwd = temporaryFolder(test, { 'stacks/xr.yaml': XR });
    const [file, folder, stdin] = await Promise.all([
      runCli(['render', 'stacks/xr.yaml'], { cwd }),
      runCli(['render', 'stacks'], { cwd }),
      runCli(['render', '-'], { cwd, input: XR }),
    ]);
    assert.deepEqual([file.code, file.stderr], [0, '']);
    assert.deepEqual(kindsOf(file.stdout), ['CelldStack', 'Release', 'Object']);
    assert.deepEqual(folder, file);
    assert.deepEqual(stdin, file);
  });

  it('prints the same documents as one JSON list', async () => {
    const [yaml, json] = await Promise.all([
      runCli(['render', '-', '-r', '-x'], { input: XR }),
      runCli(['render', '-', '-r', '-x', '--output', 'json'], { input: XR }),
    ]);
    assert.deepEqual([yaml.code, json.code], [0, 0]);
    assert.deepEqual(JSON.parse(json.stdout), documentsOf(yaml.stdout));
  });

  it('shows the AWS resources first, and the Release once bucket and identity are there', async () => {
    const render = async (...observed: string[]) => {
      const given = observed.flatMap((step) => ['-o', `examples/observed/aws/${step}.yaml`]);
      const args = ['render', 'examples/celldstacks/aws.yaml', ...given];
      const { stdout } = await runMain(args, { cwd: projectFile() });
      return documentsOf(stdout);
    };
    const fresh = await render();
    const ready = await render('4-identity-ready');
    const lost = await render('9-bucket-lost');
    const keys = (documents: readonly Json[]) => documents.slice(1).map(keyOf);
    const aws = ['namespace', 'pod-identity', 's3-bucket', 's3-bucket-pab'];
    assert.deepEqual(keys(fresh), aws);
    assert.deepEqual(keys(ready), ['helm-release-celld', ...aws]);
    assert.equal(
      valueAt(ready, 1, 'spec', 'forProvider', 'values', 'celld', 'bucket'),
      's3://hops-celld-production',
    );
    assert.deepEqual(keys(lost), [
      'fleet',
      'helm-release-celld',
      ...aws,
      'usage-celld-namespace',
      'usage-helm-celld-pod-identity',
      'usage-helm-celld-s3-bucket',
    ]);
  });

  it('tells what a cluster would delete', async (test) => {
    const cwd = temporaryFolder(test, {
      'xr.yaml': XR,
      'observed.yaml': `apiVersion: v1
kind: ConfigMap
metadata:
  name: gone
  namespace: team-a
  annotations:
    crossplane.io/composition-resource-name: gone
`,
    });
    const { code, stderr } = await runMain(['render', 'xr.yaml', '-o', 'observed.yaml'], { cwd });
    assert.deepEqual(
      [code, stderr],
      [0, 'note: deletes ConfigMap team-a/gone, which is no longer desired\n'],
    );
  });
});

describe('celld-stack render refuses', () => {
  const rows: readonly {
    readonly why: string;
    readonly files: { readonly [path: string]: string };
    readonly args: readonly string[];
    readonly code: number;
    readonly stderr: string;
  }[] = [
    {
      why: 'a bucket that is none',
      files: { 'xr.yaml': XR.replace('s3://acme-cells', 'ftp://x') },
      args: ['xr.yaml'],
      code: 1,
      stderr:
        'xr.yaml:8:3: error RULE_BROKEN: spec.bucket: Invalid value: "ftp://x": must be s3://NAME, gs://NAME or az://CONTAINER, with an optional /PREFIX\n',
    },
    {
      why: 'all faults of all XRs at once',
      files: {
        'a.yaml': XR.replace('clusterName: hub', 'replicaCount: 0'),
        'b.yaml': XR.replace('bucket:', 'bukcet:'),
      },
      args: ['a.yaml', 'b.yaml'],
      code: 1,
      stderr: `a.yaml:6:1: error FIELD_REQUIRED: spec.clusterName: Required value
a.yaml:7:3: error FIELD_INVALID: spec.replicaCount: Invalid value: 0: spec.replicaCount in body should be greater than or equal to 1
b.yaml:8:3: error FIELD_UNKNOWN: spec.bukcet: unknown field "spec.bukcet"
  hint: write spec.bucket
`,
    },
    {
      why: 'a document that is no XR',
      files: { 'xr.yaml': XR.replace('CelldStack', 'CeldStack') },
      args: ['xr.yaml'],
      code: 1,
      stderr:
        'xr.yaml:2:1: error XR_MISSING: kind: found CeldStack team-a/demo: expected an XR of kind CelldStack\n',
    },
    {
      why: 'an XR of another version',
      files: { 'xr.yaml': XR.replace('v1alpha1', 'v1') },
      args: ['xr.yaml'],
      code: 1,
      stderr:
        'xr.yaml:1:1: error COMPOSITION_MISMATCH: apiVersion: Unsupported value: "hops.ops.com.ai/v1": supported values: "hops.ops.com.ai/v1alpha1"\n',
    },
    {
      why: 'an empty file',
      files: { 'xr.yaml': '# nothing yet\n' },
      args: ['xr.yaml'],
      code: 1,
      stderr: 'error XR_MISSING: found no XR in xr.yaml: expected one of kind CelldStack\n',
    },
    {
      why: 'a file that is not there',
      files: {},
      args: ['gone.yaml'],
      code: 1,
      stderr: 'error FILE_UNREADABLE: cannot read gone.yaml: no such file or folder\n',
    },
    {
      why: 'observed resources for several XRs',
      files: { 'a.yaml': XR, 'b.yaml': XR },
      args: ['a.yaml', 'b.yaml', '-o', 'a.yaml'],
      code: 2,
      stderr:
        'error USAGE: --observed-resources belongs to one XR: found 2\n  hint: render one XR at a time\n',
    },
    {
      why: 'an observed resource of another namespace',
      files: {
        'xr.yaml': XR,
        'observed.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  namespace: b\n',
      },
      args: ['xr.yaml', '-o', 'observed.yaml'],
      code: 1,
      stderr:
        'observed.yaml:5:3: error OBSERVED_RESOURCE: metadata.namespace: observed ConfigMap b/a is not in the same namespace as the XR: expected "team-a"\n',
    },
    {
      why: 'a context value that is no YAML',
      files: { 'xr.yaml': XR },
      args: ['xr.yaml', '--context-values', 'k={a'],
      code: 1,
      stderr:
        'error CONTEXT_VALUE: the value of context key "k" is no YAML document: Flow map must end with a }\n',
    },
    {
      why: 'a pair without a value',
      files: { 'xr.yaml': XR },
      args: ['xr.yaml', '--context-values', 'k'],
      code: 2,
      stderr:
        'error USAGE: --context-values is "k": expected KEY=VALUE\n  hint: see celld-stack render --help\n',
    },
    {
      why: 'a time that is none',
      files: { 'xr.yaml': XR },
      args: ['xr.yaml', '--timeout', 'soon'],
      code: 2,
      stderr: 'error USAGE: --timeout is "soon": expected a time such as 30s or 1m\n',
    },
    {
      why: 'an XRD that is none',
      files: { 'xr.yaml': XR },
      args: ['xr.yaml', '--xrd', 'xr.yaml'],
      code: 1,
      stderr:
        'error XRD_MISMATCH: found CelldStack team-a/demo in xr.yaml: expected one CompositeResourceDefinition\n',
    },
    {
      why: 'an XRD of another kind',
      files: {
        'xr.yaml': XR,
        'xrd.yaml':
          'apiVersion: apiextensions.crossplane.io/v2\nkind: CompositeResourceDefinition\nmetadata:\n  name: others.example.org\nspec:\n  group: example.org\n  names:\n    kind: Other\n  versions:\n    - name: v1\n      served: true\n',
      },
      args: ['xr.yaml', '--xrd', 'xrd.yaml'],
      code: 1,
      stderr:
        'xrd.yaml:5:1: error XRD_MISMATCH: spec: the XRD defines Other in example.org (v1): expected CelldStack in hops.ops.com.ai/v1alpha1\n',
    },
  ];
  for (const { why, files, args, code, stderr } of rows) {
    it(why, async (test) => {
      const cwd = temporaryFolder(test, files);
      assert.deepEqual(await runMain(['render', ...args], { cwd }), { code, stdout: '', stderr });
    });
  }
});
