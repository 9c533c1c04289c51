import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JsonObject } from '../../src/core/json.ts';
import { checkObserved, isSameObject } from '../../src/crossplane/observed.ts';
import { XR } from '../support/render-input.ts';

const KEY = 'crossplane.io/composition-resource-name';
const xr = { ...XR, metadata: { ...XR.metadata, uid: 'u' } };

function object(metadata: JsonObject) {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace: 'team-a', ...metadata } };
}

describe('checkObserved()', () => {
  const owner = (uid: string) => [{ kind: 'X', name: 'x', uid, controller: true }];

  it('accepts objects of the XR, and objects without a controller', () => {
    const objects = [
      object({ name: 'a', annotations: { [KEY]: 'a' }, ownerReferences: owner('u') }),
      object({ name: 'b', annotations: { [KEY]: 'b' } }),
    ];
    assert.deepEqual(checkObserved(xr, objects), []);
  });

  it('accepts any namespace for an XR that has none', () => {
    const cluster = { ...xr, metadata: { name: 'demo', uid: 'u' } };
    assert.deepEqual(
      checkObserved(cluster, [object({ name: 'a', annotations: { [KEY]: 'a' } })]),
      [],
    );
  });

  it('names everything that is not accepted, by its place in the list', () => {
    const objects = [
      object({ name: 'a', annotations: { [KEY]: 'a' } }),
      object({ name: 'b', annotations: { [KEY]: 'b' }, ownerReferences: owner('v') }),
      object({ name: 'c', annotations: { [KEY]: 'c' }, namespace: 'team-b' }),
      object({ name: 'd' }),
      object({ name: 'e', annotations: { [KEY]: 'a' } }),
    ];
    const problem = (path: string, message: string) => ({
      code: 'OBSERVED_RESOURCE',
      path,
      message,
    });
    assert.deepEqual(checkObserved(xr, objects), [
      {
        index: 1,
        problem: problem(
          'metadata.ownerReferences',
          'observed ConfigMap team-a/b has a controller ref but is not controlled by the XR: found uid "v", the XR has "u"',
        ),
      },
      {
        index: 2,
        problem: problem(
          'metadata.namespace',
          'observed ConfigMap team-b/c is not in the same namespace as the XR: expected "team-a"',
        ),
      },
      {
        index: 3,
        problem: problem(
          'metadata.annotations',
          'observed ConfigMap team-a/d has no annotation crossplane.io/composition-resource-name: expected the name of a composed resource',
        ),
      },
      {
        index: 4,
        problem: problem(
          'metadata.annotations[crossplane.io/composition-resource-name]',
          'Duplicate value: "a": ConfigMap team-a/a has it as well',
        ),
      },
    ]);
  });
});

describe('isSameObject()', () => {
  it('compares type, namespace and name', () => {
    const a = object({ name: 'a' });
    assert.equal(isSameObject(a, { ...a, metadata: { ...a.metadata, uid: 'other' } }), true);
    assert.equal(isSameObject(a, { ...a, metadata: { name: 'a' } }), false);
    assert.equal(isSameObject(a, { ...a, kind: 'Secret' }), false);
  });
});
