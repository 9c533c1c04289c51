// Compositions of others, with functions in processes of their own, as the official tool takes them.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Json, listAt, stringAt, valueAt } from '../../src/core/json.ts';
import { parseYaml } from '../../src/manifests/yaml.ts';
import { runCli } from '../support/run-cli.ts';
import { runMain } from '../support/run-main.ts';
import { startDevelopmentFunction } from '../support/start-development-function.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const XR = `apiVersion: example.org/v1
kind: App
metadata:
  name: demo
  namespace: team-a
spec:
  size: 1
`;

function composition(steps: string, type = 'apiVersion: example.org/v1\n    kind: App'): string {
  return `apiVersion: apiextensions.crossplane.io/v1
kind: Composition
metadata:
  name: apps
spec:
  compositeTypeRef:
    ${type}
  mode: Pipeline
  pipeline:
${steps}`;
}

function functionObject(name: string, runtime: string): string {
  return `---
apiVersion: pkg.crossplane.io/v1
kind: Function
metadata:
  name: ${name}
  annotations:
${runtime}
spec:
  package: example.org/${name}:v1
`;
}

function development(target: string): string {
  return `    render.crossplane.io/runtime: Development
    render.crossplane.io/runtime-development-target: ${target}`;
}

const STEPS = `    - step: one
      functionRef:
        name: canned
      credentials:
        - name: account
          source: Secret
          secretRef:
            namespace: team-a
            name: account
      input:
        apiVersion: canned.example.org/v1
        kind: Canned
        response:
          context:
            seen: 1
          requirements:
            resources:
              config:
                apiVersion: v1
                kind: ConfigMap
                matchName: wanted
                namespace: team-a
        whenRequired:
          config:
            desired:
              resources:
                a:
                  resource:
                    apiVersion: v1
                    kind: ConfigMap
                    data:
                      found: "yes"
                  ready: READY_TRUE
            requirements:
              resources:
                config:
                  apiVersion: v1
                  kind: ConfigMap
                  matchName: wanted
                  namespace: team-a
    - step: two
      functionRef:
        name: canned
      input:
        apiVersion: canned.example.org/v1
        kind: Canned
        response:
          desired:
            resources:
              b:
                resource:
                  apiVersion: v1
                  kind: ConfigMap
                  metadata:
                    name: second
          results:
            - severity: SEVERITY_WARNING
              message: careful
`;

const REQUIRED = `apiVersion: v1
kind: ConfigMap
metadata:
  name: wanted
  namespace: team-a
`;

const SECRET = `apiVersion: v1
kind: Secret
metadata:
  name: account
  namespace: team-a
data:
  key: aGk=
`;

function documentsOf(text: string): readonly Json[] {
  return parseYaml(text, 'stdout').documents.map(({ value }) => value);
}

describe('celld-stack render XR COMPOSITION FUNCTIONS', () => {
  it('runs several steps with requirements, context and credentials over gRPC', async (test) => {
    const target = await startDevelopmentFunction(test);
    const cwd = temporaryFolder(test, {
      'xr.yaml': XR,
      'composition.yaml': composition(STEPS),
      'functions/canned.yaml': functionObject('canned', development(target)),
      'required.yaml': REQUIRED,
      'secret.yaml': SECRET,
    });
    const { code, stdout, stderr } = await runCli(
      [
        ...['render', 'xr.yaml', 'composition.yaml', 'functions', '-r', '-c'],
        ...['-e', 'required.yaml', '--function-credentials', 'secret.yaml'],
        ...['--context-values', 'seed=[1, 2]'],
      ],
      { cwd },
    );
    const time = '2024-01-01T00:00:00Z';
    const uid = '4f3bb1b5-9a4e-5c5a-9e0a-000000000000';
    const documents = documentsOf(stdout);
    const owner = listAt(documents[1], 'metadata', 'ownerReferences')[0];
    const ownerReferences = [
      {
        apiVersion: 'example.org/v1',
        blockOwnerDeletion: true,
        controller: true,
        kind: 'App',
        name: 'demo',
        uid: stringAt(owner, 'uid') ?? uid,
      },
    ];
    const composed = (key: string, name: string, more: object) => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: {
        annotations: { 'crossplane.io/composition-resource-name': key },
        labels: { 'crossplane.io/composite': 'demo' },
        name,
        namespace: 'team-a',
        ownerReferences,
      },
      ...more,
    });
    const generated = stringAt(documents[1], 'metadata', 'name') ?? '';
    assert.match(generated, /^demo-[0-9a-f]{12}$/u);
    const first = composed('a', generated, { data: { found: 'yes' } });
    const event = (severity: string, reason: string, message: string) => ({
      apiVersion: 'render.crossplane.io/v1beta1',
      kind: 'Result',
      severity,
      reason,
      message,
    });
    assert.deepEqual([code, stderr], [0, '']);
    assert.deepEqual(documents, [
      {
        apiVersion: 'example.org/v1',
        kind: 'App',
        metadata: { name: 'demo', namespace: 'team-a' },
        spec: {
          crossplane: {
            resourceRefs: [
              { apiVersion: 'v1', kind: 'ConfigMap', name: generated },
              { apiVersion: 'v1', kind: 'ConfigMap', name: 'second' },
            ],
          },
        },
        status: {
          conditions: [
            {
              lastTransitionTime: time,
              reason: 'WatchCircuitClosed',
              status: 'True',
              type: 'Responsive',
            },
            {
              lastTransitionTime: time,
              reason: 'ReconcileSuccess',
              status: 'True',
              type: 'Synced',
            },
            {
              lastTransitionTime: time,
              message: 'Unready resources: b',
              reason: 'Creating',
              status: 'False',
              type: 'Ready',
            },
          ],
        },
      },
      { ...first, metadata: { ...first.metadata, generateName: 'demo-' } },
      composed('b', 'second', {}),
      event('Normal', 'SelectComposition', 'Successfully selected composition: apps'),
      event('Warning', 'ComposeResources', 'Pipeline step "two": careful'),
      event('Normal', 'ComposeResources', 'Composed resource "b" is not yet ready'),
      {
        apiVersion: 'render.crossplane.io/v1beta1',
        kind: 'Context',
        fields: { seen: 1 },
      },
    ]);
  });

  it('runs our own function in this process beside a step that a team added', async (test) => {
    const target = await startDevelopmentFunction(test);
    const own = `    - step: celld-stack
      functionRef:
        name: hops-ops-function-celld-stack
`;
    const cwd = temporaryFolder(test, {
      'xr.yaml': XR.replace('example.org/v1', 'hops.ops.com.ai/v1alpha1')
        .replace('App', 'CelldStack')
        .replace('size: 1', 'clusterName: hub\n  bucket: s3://acme-cells'),
      'composition.yaml': composition(
        own + STEPS.slice(STEPS.indexOf('    - step: two')),
        'apiVersion: hops.ops.com.ai/v1alpha1\n    kind: CelldStack',
      ),
      'functions.yaml':
        functionObject('hops-ops-function-celld-stack', '    a: b') +
        functionObject('canned', development(target)),
    });
    const { code, stdout, stderr } = await runCli(
      ['render', 'xr.yaml', 'composition.yaml', 'functions.yaml'],
      { cwd },
    );
    assert.deepEqual([code, stderr], [0, '']);
    assert.deepEqual(
      documentsOf(stdout).map((one) => [
        stringAt(one, 'kind'),
        valueAt(one, 'metadata', 'annotations', 'crossplane.io/composition-resource-name'),
      ]),
      [
        ['CelldStack', undefined],
        ['ConfigMap', 'b'],
        ['Release', 'helm-release-celld'],
        ['Object', 'namespace'],
      ],
    );
  });

  it('says where no function answered', async (test) => {
    const cwd = temporaryFolder(test, {
      'xr.yaml': XR,
      'composition.yaml': composition(STEPS.slice(STEPS.indexOf('    - step: two'))),
      // Port 9 of this machine: discard, which nobody serves any more.
      'functions.yaml': functionObject('canned', development('127.0.0.1:9')),
    });
    assert.deepEqual(
      await runCli(
        ['render', 'xr.yaml', 'composition.yaml', 'functions.yaml', '--timeout', '300ms'],
        { cwd },
      ),
      {
        code: 1,
        stdout: '',
        stderr:
          'xr.yaml:1:1: error FUNCTION_UNREACHABLE: cannot render App team-a/demo: cannot compose resources: cannot run pipeline step "two": no function answered at 127.0.0.1:9 before the time was up\n  hint: start the function there with --insecure, or raise --timeout\n',
      },
    );
  });

  it('refuses functions that need Docker or are not given, by their steps', async (test) => {
    const cwd = temporaryFolder(test, {
      'xr.yaml': XR,
      'composition.yaml': composition(
        '    - step: one\n      functionRef:\n        name: auto-ready\n    - step: two\n      functionRef:\n        name: other\n',
      ),
      'functions.yaml': functionObject('auto-ready', '    a: b'),
    });
    const hint =
      '  hint: run the function with --insecure, and annotate its Function with render.crossplane.io/runtime: Development and render.crossplane.io/runtime-development-target: HOST:PORT\n';
    assert.deepEqual(
      await runMain(['render', 'xr.yaml', 'composition.yaml', 'functions.yaml'], { cwd }),
      {
        code: 1,
        stdout: '',
        stderr: `composition.yaml:13:9: error FUNCTION_RUNTIME: spec.pipeline[0].functionRef.name: the runtime of Function "auto-ready" is "Docker": expected "Development", which needs no Docker
${hint}composition.yaml:16:9: error FUNCTION_MISSING: spec.pipeline[1].functionRef.name: there is no Function "other"
${hint}`,
      },
    );
  });

  it('takes the runtime of every Function from -a', async (test) => {
    const target = await startDevelopmentFunction(test);
    const cwd = temporaryFolder(test, {
      'xr.yaml': XR,
      'composition.yaml': composition(STEPS.slice(STEPS.indexOf('    - step: two'))),
      'functions.yaml': functionObject('canned', '    a: b'),
    });
    const { code, stdout } = await runMain(
      [
        ...['render', 'xr.yaml', 'composition.yaml', 'functions.yaml'],
        ...['-a', 'render.crossplane.io/runtime=Development'],
        ...['-a', `render.crossplane.io/runtime-development-target=${target}`],
      ],
      { cwd },
    );
    assert.deepEqual([code, documentsOf(stdout).length], [0, 2]);
  });

  it('checks the metadata of an XR whose schema it does not know', async (test) => {
    const long = 'a'.repeat(64);
    const cwd = temporaryFolder(test, {
      'xr.yaml': XR.replace('name: demo', `name: ${long}\n  labels:\n    a: "-"`),
      'composition.yaml': composition(STEPS.slice(STEPS.indexOf('    - step: two'))),
      'functions.yaml': functionObject('canned', development('127.0.0.1:9')),
    });
    const { code, stdout, stderr } = await runMain(
      ['render', 'xr.yaml', 'composition.yaml', 'functions.yaml'],
      { cwd },
    );
    const [name, label] = stderr.split('\n');
    assert.deepEqual([code, stdout], [1, '']);
    assert.equal(
      name,
      'xr.yaml:4:3: error FIELD_TOO_LONG: metadata.name: Too long: may not be more than 63 bytes',
    );
    assert.match(label ?? '', /^xr\.yaml:5:3: error FIELD_INVALID: metadata\.labels: /u);
  });

  it('needs an XR beside a Composition', async (test) => {
    const cwd = temporaryFolder(test, {
      'composition.yaml': composition(STEPS),
      'f.yaml': functionObject('canned', development('127.0.0.1:9')),
    });
    assert.deepEqual(await runMain(['render', 'composition.yaml', 'f.yaml'], { cwd }), {
      code: 1,
      stdout: '',
      stderr:
        'error XR_MISSING: found no XR in composition.yaml, f.yaml: expected one of kind App\n',
    });
  });
});
