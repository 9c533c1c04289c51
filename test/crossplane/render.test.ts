import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type JsonObject, listAt, valueAt } from '../../src/core/json.ts';
import type { RunFunction } from '../../src/crossplane/function-call.ts';
import { render } from '../../src/crossplane/render.ts';
import {
  ALL,
  canned,
  desired,
  input,
  problemsOf,
  recorder,
  step,
  XR,
  XR_ONLY,
} from '../support/render-input.ts';

describe('render() output', () => {
  it('has empty resourceRefs and no conditions of functions when nothing is desired', async () => {
    const { documents } = await render(input([step('s')]), XR_ONLY);
    const conditions = [
      { type: 'Responsive', status: 'True', reason: 'WatchCircuitClosed' },
      { type: 'Synced', status: 'True', reason: 'ReconcileSuccess' },
      { type: 'Ready', status: 'True', reason: 'Available' },
    ].map((one) => ({ ...one, lastTransitionTime: '2024-01-01T00:00:00Z' }));
    assert.deepEqual(documents, [
      {
        apiVersion: XR.apiVersion,
        kind: XR.kind,
        metadata: { name: 'demo', namespace: 'team-a' },
        spec: { crossplane: { resourceRefs: [] } },
        status: { conditions },
      },
    ]);
  });

  it('gives a composed status without conditions the null the official tool prints', async () => {
    const resource = { apiVersion: 'v1', kind: 'ConfigMap', status: { a: 1 } };
    const { documents } = await render(input([canned('s', desired(resource))]), XR_ONLY);
    assert.deepEqual(documents[1]?.['status'], { a: 1, conditions: null });
  });

  it('refers conditions to the generation of the XR, where it has one', async () => {
    const xr = { ...XR, metadata: { ...XR.metadata, generation: 3 } };
    const { documents } = await render(input([step('s')], { xr }), XR_ONLY);
    assert.deepEqual(
      listAt(documents, 0, 'status', 'conditions').map((one) => valueAt(one, 'observedGeneration')),
      [3, 3, 3],
    );
  });

  it('runs no function for an XR that is being deleted', async () => {
    const { run, requests } = recorder([{}]);
    const metadata = { ...XR.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' };
    const { documents } = await render(
      input([step('s')], { functions: () => run, xr: { ...XR, metadata } }),
      XR_ONLY,
    );
    assert.equal(requests.length, 0);
    assert.deepEqual(
      listAt(documents, 0, 'status', 'conditions').map((one) => [
        valueAt(one, 'type'),
        valueAt(one, 'status'),
        valueAt(one, 'reason'),
      ]),
      [
        ['Responsive', 'True', 'WatchCircuitClosed'],
        ['Ready', 'False', 'Deleting'],
        ['Synced', 'True', 'ReconcileSuccess'],
      ],
    );
  });

  it('tells of results of a severity it does not know as warnings', async () => {
    const response = { results: [{ message: 'odd' }] };
    const { documents } = await render(input([canned('s', response)]), ALL);
    assert.deepEqual(documents.at(-2), {
      apiVersion: 'render.crossplane.io/v1beta1',
      kind: 'Result',
      severity: 'Warning',
      reason: 'ComposeResources',
      message: 'Pipeline step "s" returned a result of unknown severity (assuming warning): odd',
    });
  });

  it('selects no composition again that the XR refers to', async () => {
    const crossplane = { compositionRef: { name: 'celldstacks.hops.ops.com.ai' } };
    const { documents } = await render(
      input([step('s')], { xr: { ...XR, spec: { crossplane } } }),
      { ...XR_ONLY, results: true },
    );
    assert.equal(documents.length, 1);
  });
});

describe('render() refusals', () => {
  const named = (apiVersion: string, kind: string, metadata: JsonObject = {}) => ({
    apiVersion,
    kind,
    metadata,
  });
  const long = 'a'.repeat(254);
  const rows: readonly {
    readonly why: string;
    readonly response: JsonObject;
    readonly code: string;
    readonly message: string;
    readonly hint?: string;
  }[] = [
    {
      why: 'a cluster-scoped kind',
      response: desired(named('v1', 'Namespace', { name: 'x' })),
      code: 'COMPOSED_SCOPE',
      message:
        'cannot apply cluster scoped composed resource "a" (a Namespace x) for a namespaced composite resource',
      hint: 'compose it inside a kubernetes.m.crossplane.io Object',
    },
    {
      why: 'a managed resource of a cluster-scoped family',
      response: desired(named('s3.aws.upbound.io/v1beta1', 'Bucket', { name: 'x' })),
      code: 'COMPOSED_SCOPE',
      message:
        'cannot apply cluster scoped composed resource "a" (a Bucket x) for a namespaced composite resource',
      hint: 'compose it inside a kubernetes.m.crossplane.io Object',
    },
    {
      why: 'a name that is too long',
      response: desired(named('v1', 'ConfigMap', { name: long })),
      code: 'COMPOSED_NAME',
      message: `cannot apply composed resource "a" because it has an invalid name "${long}". Must be a valid RFC 1123 subdomain name.`,
      hint: 'choose another name: it has 254 characters, at most 253 fit',
    },
    {
      why: 'an object without a kind',
      response: desired({ apiVersion: 'v1' }),
      code: 'COMPOSED_INVALID',
      message:
        'cannot unmarshal desired composed resource "a": found no kind: expected a Kubernetes object',
    },
    {
      why: 'a label that is too long',
      response: desired(named('v1', 'ConfigMap', { labels: { a: 'x'.repeat(64) } })),
      code: 'COMPOSED_INVALID',
      message: `cannot apply composed resource "a": metadata.labels: Invalid value: "${'x'.repeat(64)}": must be no more than 63 bytes`,
    },
    {
      why: 'an annotation that is no text',
      response: desired(named('v1', 'ConfigMap', { annotations: { a: 1 } })),
      code: 'COMPOSED_INVALID',
      message:
        'cannot apply composed resource "a": metadata.annotations.a: Invalid value: "integer": must be of type string: "integer"',
    },
    {
      why: 'an object of another controller',
      response: desired(
        named('v1', 'ConfigMap', {
          ownerReferences: [{ kind: 'Job', name: 'j', uid: 'u', controller: true }],
        }),
      ),
      code: 'COMPOSED_OWNER',
      message: 'cannot render composed resource "a": it is already controlled by Job j (UID u)',
    },
    {
      why: 'two versions of one object',
      response: {
        desired: {
          resources: {
            a: { resource: named('apps/v1', 'Deployment', { name: 'x' }) },
            b: { resource: named('apps/v1beta1', 'Deployment', { name: 'x' }) },
          },
        },
      },
      code: 'COMPOSED_DUPLICATE',
      message:
        'composed resources "a" and "b" are one object, Deployment team-a/x: each would replace the other',
      hint: 'give each composed resource a name of its own',
    },
    {
      why: 'a fatal result',
      response: { results: [{ severity: 'SEVERITY_FATAL', message: 'no\nbucket' }] },
      code: 'FUNCTION_FATAL',
      message: 'pipeline step "s" returned a fatal result: no\nbucket',
    },
  ];
  for (const { why, response, code, message, hint } of rows) {
    it(`names ${why}`, async () => {
      assert.deepEqual(await problemsOf(render(input([canned('s', response)]), ALL)), [
        {
          code,
          path: '',
          message: `cannot render CelldStack team-a/demo: cannot compose resources: ${message}`,
          ...(hint === undefined ? {} : { hint }),
        },
      ]);
    });
  }

  it('names a function that is not there', async () => {
    assert.deepEqual(
      await problemsOf(render(input([step('s')], { functions: () => undefined }), ALL)),
      [
        {
          code: 'FUNCTION_MISSING',
          path: '',
          message:
            'cannot render CelldStack team-a/demo: cannot compose resources: cannot run pipeline step "s": there is no function "canned"',
          hint: 'give a Function of that name',
        },
      ],
    );
  });

  it('names a Secret that is not there', async () => {
    const credentials = [{ name: 'c', namespace: 'x', secret: 'one' }];
    assert.deepEqual(await problemsOf(render(input([step('s', { credentials })]), ALL)), [
      {
        code: 'CREDENTIALS_MISSING',
        path: '',
        message:
          'cannot render CelldStack team-a/demo: cannot compose resources: cannot run pipeline step "s": there is no Secret x/one for its credentials "c"',
        hint: 'give the Secret with --function-credentials',
      },
    ]);
  });

  it('names an answer that is no message', async () => {
    const run: RunFunction = async () => new Uint8Array([255, 255, 255]);
    const problems = (await problemsOf(
      render(input([step('s')], { functions: () => run }), ALL),
    )) as { code: string; message: string }[];
    assert.deepEqual(
      problems.map(({ code }) => code),
      ['FUNCTION_ANSWER'],
    );
  });

  it('passes on a defect of a function in this process', async () => {
    const run: RunFunction = async () => {
      throw new TypeError('defect');
    };
    await assert.rejects(render(input([step('s')], { functions: () => run }), ALL), TypeError);
  });

  it('lets an RBAC kind have colons in its name', async () => {
    const role = named('rbac.authorization.k8s.io/v1', 'Role', { name: 'system:x' });
    const { documents } = await render(input([canned('s', desired(role))]), XR_ONLY);
    assert.equal(valueAt(documents, 1, 'metadata', 'name'), 'system:x');
  });

  it('leaves a cluster-scoped XR its cluster-scoped resources', async () => {
    const xr = { ...XR, metadata: { name: 'demo' } };
    const { documents } = await render(
      input([canned('s', desired(named('v1', 'Namespace', { name: 'x' })))], { xr }),
      XR_ONLY,
    );
    assert.equal(documents[1]?.['kind'], 'Namespace');
  });
});
