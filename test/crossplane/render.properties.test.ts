// What holds for whatever a function desires and whatever is observed.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import {
  compareStrings,
  type JsonObject,
  objectAt,
  stringAt,
  valueAt,
} from '../../src/core/json.ts';
import type { KubeObject } from '../../src/core/kube-object.ts';
import { render } from '../../src/crossplane/render.ts';
import { canned, input, XR, XR_ONLY } from '../support/render-input.ts';

const KEY = 'crossplane.io/composition-resource-name';
const label = fc.stringMatching(/^[a-z]([a-z0-9]{0,8}[a-z0-9])?$/u);

/** A desired ConfigMap; its name, when it has one, is made of its key, so that no two are one object. */
const wish = fc.record(
  {
    named: fc.boolean(),
    generateName: label.map((text) => `${text}-`),
    namespace: label,
    labels: fc.dictionary(label, label, { maxKeys: 3, noNullPrototype: true }),
    data: fc.dictionary(label, fc.string(), { maxKeys: 3, noNullPrototype: true }),
    ready: fc.constantFrom('READY_TRUE', 'READY_FALSE', 'READY_UNSPECIFIED'),
    observed: fc.boolean(),
  },
  { requiredKeys: ['named', 'ready', 'observed', 'data'] },
);
const wishes = fc.dictionary(label, wish, { maxKeys: 6, noNullPrototype: true });

type Wishes = typeof wishes extends fc.Arbitrary<infer W> ? W : never;

function desiredOf(all: Wishes): JsonObject {
  const resources = Object.fromEntries(
    Object.entries(all).map(([key, { named, generateName, namespace, labels, data, ready }]) => {
      const metadata = {
        ...(named ? { name: `n-${key}` } : {}),
        ...(generateName === undefined ? {} : { generateName }),
        ...(namespace === undefined ? {} : { namespace }),
        ...(labels === undefined ? {} : { labels }),
      };
      return [key, { resource: { apiVersion: 'v1', kind: 'ConfigMap', metadata, data }, ready }];
    }),
  );
  return { desired: { resources } };
}

function observedOf(all: Wishes): KubeObject[] {
  return Object.entries(all)
    .filter(([, { observed }]) => observed)
    .map(([key]) => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: `old-${key}`, namespace: 'team-a', annotations: { [KEY]: key } },
    }));
}

function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    for (const child of Object.values(value)) frozen(child);
    Object.freeze(value);
  }
  return value;
}

function shuffled<T extends JsonObject>(object: T): T {
  return Object.fromEntries(Object.entries(object).reverse()) as T;
}

async function documentsOf(all: Wishes): Promise<readonly JsonObject[]> {
  const step = frozen(canned('s', desiredOf(all)));
  const observed = frozen(observedOf(all));
  return (await render(input([step], { xr: frozen(XR), observed }), XR_ONLY)).documents;
}

describe('render(), whatever is desired', () => {
  it('gives every resource its key, its label, its owner and the namespace of the XR, sorted', async () => {
    await fc.assert(
      fc.asyncProperty(wishes, async (all) => {
        const [xr, ...composed] = await documentsOf(all);
        const keys = composed.map((one) => stringAt(one, 'metadata', 'annotations', KEY) ?? '');
        assert.deepEqual(keys, Object.keys(all).sort(compareStrings));
        composed.forEach((one, index) => {
          const { metadata } = one as KubeObject;
          const name = stringAt(metadata, 'name') ?? '';
          const { named, observed, labels, data } = all[keys[index] ?? ''] ?? assert.fail();
          if (observed) assert.equal(name, `old-${keys[index]}`);
          else if (named) assert.equal(name, `n-${keys[index]}`);
          else assert.match(name, /^[a-z0-9][a-z0-9-]{0,49}-[0-9a-f]{12}$/u);
          assert.equal(metadata['namespace'], 'team-a');
          assert.deepEqual(objectAt(metadata, 'labels'), {
            ...labels,
            'crossplane.io/composite': 'demo',
          });
          assert.equal(valueAt(metadata, 'ownerReferences', 0, 'controller'), true);
          assert.deepEqual(one['data'], data);
        });
        assert.equal(
          valueAt(xr, 'status', 'conditions', 2, 'status'),
          Object.values(all).every(({ ready }) => ready === 'READY_TRUE') ? 'True' : 'False',
        );
      }),
      { numRuns: 100 },
    );
  });

  it('does not depend on the order of keys', async () => {
    await fc.assert(
      fc.asyncProperty(wishes, async (all) => {
        const other = shuffled(all as JsonObject) as Wishes;
        assert.deepEqual(await documentsOf(other), await documentsOf(all));
      }),
      { numRuns: 50 },
    );
  });
});
