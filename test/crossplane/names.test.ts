import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { generatedName, nameFault, renderUid } from '../../src/crossplane/names.ts';

const xr = (metadata: { name: string; namespace?: string }) => ({
  apiVersion: 'hops.ops.com.ai/v1alpha1',
  kind: 'CelldStack',
  metadata,
});

describe('renderUid()', () => {
  it('is the uid the official tool prints', () => {
    assert.equal(
      renderUid(xr({ name: 'demo', namespace: 'team-a' })),
      'fe1f36c4-9dc1-55e8-9269-bd19517a0302',
    );
    assert.equal(renderUid(xr({ name: 'demo' })), 'feedf9cf-20f9-55bc-a82f-da1c067cee66');
  });
});

describe('generatedName()', () => {
  const uid = 'fe1f36c4-9dc1-55e8-9269-bd19517a0302';

  it('is the name the official tool prints', () => {
    assert.equal(generatedName('demo-', uid, 'c'), 'demo-d633ce32d244');
    assert.equal(generatedName('pre-', uid, 'b'), 'pre-3cb4a54f7002');
    assert.equal(generatedName('demo-', uid, 'a'), 'demo-3492a3514282');
  });

  it('adds the dash that a prefix lacks', () => {
    assert.equal(generatedName('demo', uid, 'c'), 'demo-d633ce32d244');
  });

  it('fits into 63 characters and ends in a dash and the hash', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z0-9]{1,80}-?$/u), fc.string(), (prefix, key) => {
        const name = generatedName(prefix, uid, key);
        assert.ok(name.length <= 63);
        assert.match(name, /-[0-9a-f]{12}$/u);
      }),
    );
  });

  it('cuts a long prefix so that the whole is 63 characters', () => {
    assert.equal(generatedName(`${'a'.repeat(60)}-`, uid, 'c'), `${'a'.repeat(50)}-d633ce32d244`);
  });
});

describe('nameFault()', () => {
  const legal = 'it has 254 characters, at most 253 fit';
  const form =
    'a name consists of lower case letters, digits, "-" and ".", and begins and ends with a letter or digit';
  for (const [apiVersion, kind, name, fault, why] of [
    ['v1', 'ConfigMap', 'demo', undefined, 'a plain name'],
    ['v1', 'ConfigMap', 'a.b-c.1', undefined, 'dots and dashes'],
    ['v1', 'ConfigMap', 'a'.repeat(253), undefined, 'the longest name'],
    ['v1', 'ConfigMap', 'a'.repeat(254), legal, 'one more'],
    ['v1', 'ConfigMap', 'Not_Valid', form, 'upper case and underscore'],
    ['v1', 'ConfigMap', '-a', form, 'a dash in front'],
    ['v1', 'ConfigMap', 'a-', form, 'a dash behind'],
    ['v1', 'ConfigMap', 'a..b', form, 'an empty label'],
    ['v1', 'ConfigMap', '', form, 'no name'],
    ['v1', 'ConfigMap', 'system:x', form, 'a colon outside RBAC'],
    ['rbac.authorization.k8s.io/v1', 'Role', 'system:x', undefined, 'a colon in RBAC'],
    ['v1', 'Service', 'a'.repeat(63), undefined, 'the longest name of a Service'],
    [
      'v1',
      'Service',
      'a'.repeat(64),
      'it has 64 characters, at most 63 fit for a Service',
      'a Service whose name is too long',
    ],
    ['v1', 'Namespace', 'a.b', 'the name of a Namespace has no dots', 'a Namespace with a dot'],
    ['serving.knative.dev/v1', 'Service', 'a.b', undefined, 'another kind of Service'],
  ] as const) {
    it(`tells ${why}`, () => {
      assert.equal(nameFault(apiVersion, kind, name), fault);
    });
  }
});
