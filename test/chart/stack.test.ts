// What the function composes, fed into the real Helm: stack and chart cannot drift apart.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { describe, it } from 'node:test';
import { projectFile } from '../../src/cli/project.ts';
import { compose } from '../../src/compose/compose.ts';
import { type JsonObject, objectAt, stringAt, valueAt } from '../../src/core/json.ts';
import { MODES } from '../compose/modes.ts';
import { assertGolden } from '../support/golden.ts';
import { lintCharts, readObjects, renderChart, templateChart } from '../support/helm.ts';
import { envOf, one, podOf } from '../support/rendered.ts';
import { exampleXr, restingResources, stackRendering } from '../support/stack-release.ts';
import { xr } from '../support/xr.ts';

const EXAMPLES = readdirSync(projectFile('examples', 'celldstacks')).sort();

describe('examples/celldstacks', { concurrency: true }, () => {
  for (const file of EXAMPLES) {
    it(`${file} becomes test/chart/expected/examples/${file}`, async () => {
      const rendering = stackRendering(exampleXr(file));
      assert.ok(rendering, 'no Release is composed');
      const { status, stdout, stderr } = await templateChart(rendering, ...rendering.set);
      assert.deepEqual([status, stderr], [0, '']);
      assertGolden(`test/chart/expected/examples/${file}`, stdout);
    });
  }

  it('pass helm lint --strict', async () => {
    const values = EXAMPLES.map((file) => [file, stackRendering(exampleXr(file))?.values ?? {}]);
    const { status, stderr } = await lintCharts(Object.fromEntries(values));
    assert.deepEqual([status, stderr], [0, '']);
  });
});

describe('compose() with our own chart', { concurrency: true }, () => {
  for (const [mode, spec] of Object.entries(MODES)) {
    const stack = xr(spec as JsonObject);
    const rendering = stackRendering(stack);
    if (rendering === undefined || stringAt(rendering.values, 'expectation') === undefined)
      continue;
    it(`${mode}: Helm makes the Service, ServiceAccount and StatefulSet that the stack names`, async () => {
      const { status, stdout, stderr } = await templateChart(rendering, ...rendering.set);
      assert.deepEqual([status, stderr], [0, '']);
      const objects = readObjects(stdout);
      const set = one(objects, 'StatefulSet');
      const service = one(objects, 'Service', 'celld', stackNames(stack).service);
      assert.deepEqual(
        {
          set: stringAt(set, 'metadata', 'name'),
          service: stringAt(service, 'metadata', 'name'),
          port: valueAt(service, 'spec', 'ports', 0, 'port'),
          account: podOf(set).spec['serviceAccountName'],
          expectation: stringAt(set, 'metadata', 'annotations', 'hops.ops.com.ai/expectation'),
        },
        { ...stackNames(stack), expectation: stringAt(rendering.values, 'expectation') },
      );
    });
  }
});

describe('spec.bootstrap.enabled', { concurrency: true }, () => {
  for (const { why, spec, runs, placeholder } of [
    { why: 'on by default', spec: { bucket: 's3://cells' }, runs: true, placeholder: '1' },
    { why: 'off', spec: { bucket: 's3://cells', bootstrap: { enabled: false } }, runs: false },
    {
      why: 'off with Azurite, whose container somebody has to make',
      spec: { azurite: { enabled: true }, bootstrap: { enabled: false } },
      runs: true,
    },
  ]) {
    it(`is ${why}`, async () => {
      const rendering = stackRendering(xr(spec));
      assert.ok(rendering);
      const objects = await renderChart(rendering);
      const [first] = podOf(one(objects, 'StatefulSet')).containers;
      assert.deepEqual(
        [first?.['name'], envOf(first ?? {})['CELLD_STACK_PLACEHOLDER']],
        [runs ? 'bootstrap' : 'celld', placeholder],
      );
    });
  }
});

/** What the stack says the chart's objects are called: in its status, its Object and its PodIdentity. */
function stackNames(stack: JsonObject) {
  const { resources, status } = compose({
    xr: stack,
    resources: restingResources(stack),
    required: {},
  });
  const identity = resources['pod-identity']?.object;
  const values = objectAt(resources['helm-release-celld']?.object, 'spec', 'forProvider', 'values');
  return {
    set: stringAt(
      resources['fleet']?.object,
      'spec',
      'forProvider',
      'manifest',
      'metadata',
      'name',
    ),
    service: stringAt(status, 'service', 'name') ?? '',
    port: valueAt(status, 'service', 'port'),
    account:
      stringAt(identity, 'spec', 'serviceAccount', 'name') ??
      stringAt(values, 'serviceAccount', 'name'),
  };
}
