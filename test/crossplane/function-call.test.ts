import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JsonObject } from '../../src/core/json.ts';
import type { KubeObject } from '../../src/core/kube-object.ts';
import { render } from '../../src/crossplane/render.ts';
import {
  desired,
  input,
  problemsOf,
  recorder,
  step,
  XR,
  XR_ONLY,
} from '../support/render-input.ts';

describe('render() requests', () => {
  it('carry the XR with its label and composition, nothing desired, and a tag', async () => {
    const { run, requests } = recorder([{}]);
    await render(input([step('s')], { functions: () => run }), XR_ONLY);
    const [request] = requests;
    assert.match(request?.meta?.tag ?? '', /^[0-9a-f]{64}$/u);
    assert.deepEqual(
      { ...request, meta: request?.meta?.capabilities },
      {
        meta: [1, 2, 3, 4, 5],
        observed: {
          composite: {
            resource: {
              apiVersion: XR.apiVersion,
              kind: XR.kind,
              metadata: {
                labels: { 'crossplane.io/composite': 'demo' },
                name: 'demo',
                namespace: 'team-a',
                resourceVersion: '999',
                uid: 'fe1f36c4-9dc1-55e8-9269-bd19517a0302',
              },
              spec: {
                clusterName: 'hub',
                crossplane: { compositionRef: { name: 'celldstacks.hops.ops.com.ai' } },
              },
              status: {
                conditions: [
                  {
                    lastTransitionTime: '2024-01-01T00:00:00Z',
                    reason: 'WatchCircuitClosed',
                    status: 'True',
                    type: 'Responsive',
                  },
                ],
              },
            },
            connectionDetails: {},
            ready: 0,
          },
          resources: {},
        },
        desired: { composite: undefined, resources: {} },
        input: undefined,
        context: {},
        extraResources: {},
        credentials: {},
        requiredResources: {},
        requiredSchemas: {},
      },
    );
  });

  it('are the same bytes whatever the order of keys', async () => {
    const tags: (string | undefined)[] = [];
    for (const spec of [
      { clusterName: 'hub', values: { a: 1, b: [{ c: 1, d: 2 }] } },
      { values: { b: [{ d: 2, c: 1 }], a: 1 }, clusterName: 'hub' },
    ]) {
      const { run, requests } = recorder([{}]);
      await render(input([step('s')], { functions: () => run, xr: { ...XR, spec } }), XR_ONLY);
      tags.push(requests[0]?.meta?.tag);
    }
    assert.equal(tags[0], tags[1]);
  });

  it('carry the context of the last answer, and the desired state of earlier steps only', async () => {
    const wants = { requirements: { resources: { r: { apiVersion: 'v1', kind: 'ConfigMap' } } } };
    const { run, requests } = recorder([
      { ...desired({ kind: 'X' }), context: { n: 1 }, ...wants },
      { context: { n: 2 }, ...wants },
    ]);
    await render(input([step('s')], { functions: () => run, context: { n: 0 } }), XR_ONLY);
    assert.deepEqual(
      requests.map(({ context, desired: { resources } = { resources: {} } }) => [
        context,
        resources,
      ]),
      [
        [{ n: 0 }, {}],
        [{ n: 1 }, {}],
      ],
    );
  });

  it('carry the bytes of the Secrets a step names', async () => {
    const { run, requests } = recorder([{}]);
    const secret = (name: string, data: JsonObject) => ({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name, namespace: 'x' },
      ...data,
    });
    await render(
      input([step('s', { credentials: [{ name: 'c', namespace: 'x', secret: 'one' }] })], {
        functions: () => run,
        credentials: [
          secret('two', {}),
          secret('one', { data: { a: 'aGk=' }, stringData: { b: 'yo' } }),
        ],
      }),
      XR_ONLY,
    );
    assert.deepEqual(requests[0]?.credentials, {
      c: { credentialData: { data: { a: Buffer.from('hi'), b: Buffer.from('yo') } } },
    });
  });

  it('carry what the step requires from the first call on, beside what the function requires', async () => {
    const config = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });
    const { run, requests } = recorder([
      {
        requirements: { resources: { b: { apiVersion: 'v1', kind: 'ConfigMap', matchName: 'b' } } },
      },
    ]);
    await render(
      input(
        [
          step('s', {
            requirements: {
              resources: [{ requirement: 'a', apiVersion: 'v1', kind: 'ConfigMap', name: 'a' }],
              schemas: [{ requirement: 'z', apiVersion: 'apps/v1', kind: 'Deployment' }],
            },
          }),
        ],
        {
          functions: () => run,
          required: [config('a'), config('b')],
          schemas: [
            {
              components: {
                schemas: {
                  d: {
                    type: 'object',
                    'x-kubernetes-group-version-kind': [
                      { group: 'apps', version: 'v1', kind: 'Deployment' },
                    ],
                  },
                },
              },
            },
          ],
        },
      ),
      XR_ONLY,
    );
    assert.deepEqual(
      requests.map(({ requiredResources, requiredSchemas }) => [
        Object.fromEntries(
          Object.entries(requiredResources).map(([key, { items }]) => [
            key,
            items.map(({ resource }) => resource?.['metadata'].name),
          ]),
        ),
        requiredSchemas['z']?.openapiV3?.['type'],
      ]),
      [
        [{ a: ['a'] }, 'object'],
        [{ a: ['a'], b: ['b'] }, 'object'],
      ],
    );
  });
});

describe('render() requirements', () => {
  const wish = (labels: JsonObject): JsonObject => ({
    requirements: {
      resources: { r: { apiVersion: 'v1', kind: 'ConfigMap', matchLabels: { labels } } },
    },
  });

  it('end after one call when nothing is required', async () => {
    const { run, requests } = recorder([{}]);
    await render(input([step('s')], { functions: () => run }), XR_ONLY);
    assert.equal(requests.length, 1);
  });

  it('are given up after six calls', async () => {
    const { run, requests } = recorder([1, 2, 3, 4, 5, 6, 7].map((n) => wish({ n: `${n}` })));
    const problems = await problemsOf(
      render(input([step('s')], { functions: () => run }), XR_ONLY),
    );
    assert.equal(requests.length, 6);
    assert.deepEqual(problems, [
      {
        code: 'FUNCTION_REQUIREMENTS',
        path: '',
        message:
          'cannot render CelldStack team-a/demo: cannot compose resources: cannot run pipeline step "s": requirements didn\'t stabilize after the maximum number of iterations (5)',
        hint: 'let the function ask for the same resources at each call',
      },
    ]);
  });

  it('find by labels in all namespaces, sorted, observed resources included', async () => {
    const config = (namespace: string, name: string, labels: JsonObject): KubeObject => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { namespace, name, labels },
    });
    const { run, requests } = recorder([wish({ t: '1' })]);
    const annotations = { 'crossplane.io/composition-resource-name': 'own' };
    const own = config('team-a', 'own', { t: '1' });
    await render(
      input([step('s')], {
        functions: () => run,
        observed: [{ ...own, metadata: { ...own.metadata, annotations } }],
        required: [
          config('z', 'b', { t: '1' }),
          config('z', 'a', { t: '1', other: 'x' }),
          config('z', 'c', { t: '2' }),
        ],
      }),
      XR_ONLY,
    );
    assert.deepEqual(
      requests[1]?.requiredResources['r']?.items.map(({ resource }) => resource?.['metadata'].name),
      ['own', 'a', 'b'],
    );
  });
});
