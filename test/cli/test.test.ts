// The test command: output and exit code whole, on cases that are written for each test.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { runCli } from '../support/run-cli.ts';
import { runMain } from '../support/run-main.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** A pipeline that answers by itself needs a function; a paused XR needs none and renders the same forever. */
const XR = `apiVersion: hops.ops.com.ai/v1alpha1
kind: CelldStack
metadata:
  name: demo
  namespace: team-a
  annotations:
    crossplane.io/paused: "true"
spec:
  clusterName: hub
`;

const COMPOSITION = `apiVersion: apiextensions.crossplane.io/v1
kind: Composition
metadata:
  name: none
spec:
  compositeTypeRef:
    apiVersion: hops.ops.com.ai/v1alpha1
    kind: CelldStack
  pipeline:
    - step: one
      functionRef:
        name: hops-ops-function-celld-stack
`;

const EXPECTED = `---
apiVersion: hops.ops.com.ai/v1alpha1
kind: CelldStack
metadata:
  annotations:
    crossplane.io/paused: "true"
  name: demo
  namespace: team-a
  resourceVersion: "999"
  uid: fe1f36c4-9dc1-55e8-9269-bd19517a0302
`;

function caseFile(more = ''): string {
  return `why: a paused stack says so\n${more}`;
}

describe('celld-stack test', () => {
  it('writes goldens with --update, keeps their comments, and holds the next run against them', async (test) => {
    const cwd = temporaryFolder(test, {
      'cases/paused/case.yaml': caseFile(),
      'cases/paused/xr.yaml': XR,
      'cases/paused/expected.yaml': '# Nothing is composed while it is paused.\n\n--- {}\n',
    });
    const file = join(cwd, 'cases/paused/expected.yaml');
    assert.deepEqual(await runCli(['test', 'cases', '--update'], { cwd }), {
      code: 0,
      stdout: 'updated cases/paused\n1 case, all as expected\n',
      stderr: '',
    });
    const written = readFileSync(file, 'utf8');
    assert.equal(
      written.slice(0, written.indexOf('spec:')),
      `# Nothing is composed while it is paused.\n\n${EXPECTED}`,
    );
    assert.deepEqual(await runCli(['test', 'cases'], { cwd }), {
      code: 0,
      stdout: 'ok      cases/paused\n1 case, all as expected\n',
      stderr: '',
    });
    assert.equal(readFileSync(file, 'utf8'), written);
  });

  it('refuses --update where CI is set', async (test) => {
    const cwd = temporaryFolder(test, { 'a/case.yaml': caseFile(), 'a/xr.yaml': XR });
    assert.deepEqual(await runMain(['test', '--update', '.'], { cwd, ci: 'true' }), {
      code: 2,
      stdout: '',
      stderr:
        'error USAGE: --update is refused where the variable CI is set: goldens are written by people\n  hint: run it on your own machine and commit what it writes\n',
    });
    assert.equal(existsSync(join(cwd, 'a/expected.yaml')), false);
  });

  it('shows what differs as a diff of each document', async (test) => {
    const app = (text: string) => text.replaceAll('CelldStack', 'App');
    const cwd = temporaryFolder(test, {
      'a/case.yaml': caseFile('include: [results]\ncomposition: ../composition.yaml\n'),
      'a/xr.yaml': app(XR),
      'composition.yaml': app(COMPOSITION),
      'a/expected.yaml': `apiVersion: hops.ops.com.ai/v1alpha1
kind: App
metadata:
  annotations:
    crossplane.io/paused: "true"
  name: demo
  namespace: team-a
  resourceVersion: "999"
  uid: 1de4a12b-da81-59bc-9daf-25b357d65d69
spec:
  clusterName: spoke
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: extra
`,
    });
    assert.deepEqual(await runMain(['test', 'a'], { cwd }), {
      code: 1,
      stdout: `failed  a
        a paused stack says so
        App team-a/demo: differs from expected.yaml
        @@ -8,4 +8,15 @@
           resourceVersion: "999"
           uid: 1de4a12b-da81-59bc-9daf-25b357d65d69
         spec:
        -  clusterName: spoke
        +  clusterName: hub
        +status:
        +  conditions:
        +  - lastTransitionTime: "2024-01-01T00:00:00Z"
        +    reason: WatchCircuitClosed
        +    status: "True"
        +    type: Responsive
        +  - lastTransitionTime: "2024-01-01T00:00:00Z"
        +    message: Reconciliation (including deletion) is paused via the pause annotation
        +    reason: ReconcilePaused
        +    status: "False"
        +    type: Synced
        ConfigMap extra: is in expected.yaml, but not rendered
        @@ -1,4 +0,0 @@
        -apiVersion: v1
        -kind: ConfigMap
        -metadata:
        -  name: extra
        Result: is rendered, but not in expected.yaml
        @@ -0,0 +1,5 @@
        +apiVersion: render.crossplane.io/v1beta1
        +kind: Result
        +message: Reconciliation is paused via the pause annotation
        +reason: ReconciliationPaused
        +severity: Normal
1 case, 1 failed
`,
      stderr: '',
    });
  });

  it('names every assertion that does not hold', async (test) => {
    const cwd = temporaryFolder(test, {
      'a/case.yaml': caseFile(`expect:
  - kind: CelldStack
    present: [metadata.name, metadata.nope]
    absent: [spec.nope, spec.clusterName]
    equal:
      spec.clusterName: hub
      metadata.namespace: team-b
    matching:
      metadata.name: ^d
      metadata.namespace: ^b
      status.conditions[type=Synced].reason: ^Reconcile
  - kind: CelldStack
    absent: true
  - kind: Release
  - kind: Bucket
    absent: true
`),
      'a/xr.yaml': XR,
    });
    assert.deepEqual(await runMain(['test', 'a'], { cwd }), {
      code: 1,
      stdout: `failed  a
        a paused stack says so
        kind CelldStack: metadata.nope is absent: expected a value
        kind CelldStack: spec.clusterName is "hub": expected none
        kind CelldStack: metadata.namespace is "team-a": expected "team-b"
        kind CelldStack: metadata.namespace is "team-a": expected a match of /^b/
        kind CelldStack: found CelldStack team-a/demo: expected none
        kind Release: found none: expected at least one document
1 case, 1 failed
`,
      stderr: '',
    });
  });

  it('holds the problems of a refused XR against those expected, in case.yaml or whole', async (test) => {
    const wrong = XR.replace('clusterName: hub', 'clusterName: hub\n  replicaCount: 0\n  bogus: 1');
    const refused = (path: string) =>
      caseFile(`refused:
  - code: FIELD_UNKNOWN
    path: spec.bogus
  - code: FIELD_INVALID
    path: ${path}
    message: greater than or equal to 1
`);
    const cwd = temporaryFolder(test, {
      'a/case.yaml': refused('spec.replicaCount'),
      'a/xr.yaml': wrong,
      'b/case.yaml': refused('spec.other'),
      'b/xr.yaml': wrong,
      'c/case.yaml': refused('spec.replicaCount'),
      'c/xr.yaml': XR,
      'd/case.yaml': caseFile(),
      'd/xr.yaml': wrong,
      'd/expected.yaml': `refused:
- code: FIELD_INVALID
  message: "Invalid value: 0: spec.replicaCount in body should be greater than or equal to 1"
  path: spec.replicaCount
- code: FIELD_UNKNOWN
  message: 'unknown field "spec.bogus"'
  path: spec.bogus
`,
    });
    assert.deepEqual(await runMain(['test', '.'], { cwd }), {
      code: 1,
      stdout: `ok      a
failed  b
        a paused stack says so
        refused: found no FIELD_INVALID at spec.other that matches /greater than or equal to 1/
        refused: did not expect FIELD_INVALID spec.replicaCount: Invalid value: 0: spec.replicaCount in body should be greater than or equal to 1
failed  c
        a paused stack says so
        refused: the XR was rendered: expected it to be refused with FIELD_UNKNOWN, FIELD_INVALID
ok      d
4 cases, 2 failed
`,
      stderr: '',
    });
  });

  it('runs the cases of --filter, and writes a JUnit report', async (test) => {
    const cwd = temporaryFolder(test, {
      'cases/one/good/case.yaml': caseFile('expect: [{kind: CelldStack}]\n'),
      'cases/one/good/xr.yaml': XR,
      'cases/one/bad/case.yaml': caseFile('expect: [{kind: "<Release>"}]\n'),
      'cases/one/bad/xr.yaml': XR,
      'cases/two/case.yaml': caseFile(),
    });
    const args = ['test', 'cases', '--filter', 'one', '--junit', 'report.xml'];
    assert.deepEqual(await runMain(args, { cwd }), {
      code: 1,
      stdout: `failed  cases/one/bad
        a paused stack says so
        kind <Release>: found none: expected at least one document
ok      cases/one/good
2 cases, 1 failed
`,
      stderr: '',
    });
    assert.equal(
      readFileSync(join(cwd, 'report.xml'), 'utf8'),
      `<?xml version="1.0" encoding="UTF-8"?>
<testsuites tests="2" failures="1">
  <testsuite name="celld-stack test" tests="2" failures="1">
    <testcase name="bad" classname="cases.one">
      <failure message="a paused stack says so">kind &lt;Release&gt;: found none: expected at least one document</failure>
    </testcase>
    <testcase name="good" classname="cases.one"/>
  </testsuite>
</testsuites>
`,
    );
  });

  it('fails a case that cannot be read, and goes on', async (test) => {
    const cwd = temporaryFolder(test, {
      'a/case.yaml': 'whi: typo\nexpect: 3\n',
      'b/case.yaml': caseFile('expect: [{kind: CelldStack}]\n'),
      'c/case.yaml': caseFile('xr: ../two.yaml\nexpect: [{kind: CelldStack}]\n'),
      'd/case.yaml': caseFile('xr: ../one.yaml\n'),
      'e/case.yaml': caseFile(`xr: ../one.yaml
composition: ../composition.yaml
expect: [{kind: CelldStack, matching: {metadata.uid: ^fe1f}}]
`),
      'one.yaml': XR,
      'two.yaml': `${XR}---\n${XR}`,
      'composition.yaml': COMPOSITION,
    });
    assert.deepEqual(await runMain(['test', '.'], { cwd }), {
      code: 1,
      stdout: `failed  a
        the case cannot be run
        a/case.yaml:1:1: error CASE_INVALID: whi: Unsupported value: "whi": supported values: "why", "xr", "observed", "required", "composition", "functions", "xrd", "context", "include", "expect", "refused"
        a/case.yaml:1:1: error CASE_INVALID: why: Required value: one line that says what the case shows
        a/case.yaml:2:1: error CASE_INVALID: expect: Invalid value: 3: must be a list
failed  b
        the case cannot be run
        error FILE_UNREADABLE: cannot read b/xr.yaml: no such file or folder
failed  c
        the case cannot be run
        error CASE_INVALID: found 2 XRs in two.yaml: expected one
failed  d
        a paused stack says so
        the case has neither expect nor refused nor an expected.yaml: write it with --update
ok      e
5 cases, 4 failed
`,
      stderr: '',
    });
  });

  it('says so when there is no case', async (test) => {
    const cwd = temporaryFolder(test, { 'a/case.yaml': caseFile(), 'b/other.yaml': '' });
    assert.deepEqual(await runMain(['test', 'b'], { cwd }), {
      code: 1,
      stdout: '',
      stderr:
        'error CASE_INVALID: found no case.yaml in b\n  hint: see docs/testing.md for what a case is\n',
    });
    assert.deepEqual(await runMain(['test', 'a', '--filter', 'z'], { cwd }), {
      code: 1,
      stdout: '',
      stderr: 'error CASE_INVALID: no case has z in its path\n',
    });
    assert.deepEqual(await runMain(['test', 'c'], { cwd }), {
      code: 1,
      stdout: '',
      stderr: 'error FILE_UNREADABLE: cannot read c: no such file or folder\n',
    });
  });
});
