// What Crossplane makes of an XRD: what it adds, what it keeps, what it drops.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { listAt, objectAt, valueAt } from '../../src/core/json.ts';
import type { KubeObject } from '../../src/core/kube-object.ts';
import { claimCrd, compositeCrd, droppedFields } from '../../src/schema/composite-schema.ts';
import { resourceSchema, servedVersions } from '../../src/schema/resource-schema.ts';

const rule = { rule: 'true', message: 'm' };
const XRD: KubeObject = {
  apiVersion: 'apiextensions.crossplane.io/v2',
  kind: 'CompositeResourceDefinition',
  metadata: { name: 'things.example.org' },
  spec: {
    group: 'example.org',
    names: { kind: 'Thing', plural: 'things', shortNames: ['th'], categories: ['all'] },
    scope: 'Namespaced',
    defaultCompositionUpdatePolicy: 'Manual',
    versions: [
      {
        name: 'v1',
        served: true,
        referenceable: true,
        additionalPrinterColumns: [{ name: 'SIZE', type: 'integer', jsonPath: '.spec.size' }],
        schema: {
          openAPIV3Schema: {
            type: 'object',
            description: 'A thing.',
            minProperties: 1,
            'x-kubernetes-validations': [rule],
            properties: {
              metadata: {
                type: 'object',
                properties: { name: { type: 'string', maxLength: 20, pattern: '^a' } },
              },
              spec: {
                type: 'object',
                default: { size: 1 },
                required: ['size'],
                oneOf: [{ required: ['size'] }],
                anyOf: [{ required: ['size'] }],
                'x-kubernetes-validations': [rule],
                properties: { size: { type: 'integer' }, crossplane: { type: 'string' } },
              },
              status: {
                type: 'object',
                'x-kubernetes-preserve-unknown-fields': true,
                properties: { ready: { type: 'boolean' }, conditions: { type: 'string' } },
              },
            },
          },
        },
      },
      { name: 'v0', served: false, referenceable: false, schema: { openAPIV3Schema: {} } },
    ],
  },
};
const crd = compositeCrd(XRD);
const schema = objectAt(crd, 'spec', 'versions', 0, 'schema', 'openAPIV3Schema');

describe('compositeCrd()', () => {
  it('keeps of the root its description, its rules and the limit of the name', () => {
    const { properties, ...root } = schema;
    assert.deepEqual(root, {
      type: 'object',
      description: 'A thing.',
      required: ['spec'],
      'x-kubernetes-validations': [rule],
    });
    assert.deepEqual(valueAt(properties, 'metadata'), {
      type: 'object',
      properties: { name: { type: 'string', maxLength: 20 } },
    });
  });

  it('adds spec.crossplane over a field of that name, and drops what Crossplane drops', () => {
    const { properties, ...spec } = objectAt(schema, 'properties', 'spec');
    assert.deepEqual(spec, {
      type: 'object',
      required: ['size'],
      oneOf: [{ required: ['size'] }],
      'x-kubernetes-validations': [rule],
    });
    const machinery = objectAt(properties, 'crossplane', 'properties');
    assert.deepEqual(Object.keys(machinery), [
      'compositionRef',
      'compositionSelector',
      'compositionRevisionRef',
      'compositionRevisionSelector',
      'compositionUpdatePolicy',
      'resourceRefs',
    ]);
    assert.equal(valueAt(machinery, 'compositionUpdatePolicy', 'default'), 'Manual');
  });

  it('adds status.conditions, a list with one entry a type', () => {
    const { properties, ...status } = objectAt(schema, 'properties', 'status');
    assert.deepEqual(status, { type: 'object' });
    assert.deepEqual(Object.keys(objectAt(properties)), ['ready', 'conditions']);
    assert.deepEqual(valueAt(properties, 'conditions', 'x-kubernetes-list-map-keys'), ['type']);
  });

  it('takes names, scope and versions over, and appends columns and a category', () => {
    assert.deepEqual(valueAt(crd, 'metadata'), { name: 'things.example.org' });
    assert.deepEqual(valueAt(crd, 'spec', 'names', 'categories'), ['all', 'composite']);
    assert.equal(valueAt(crd, 'spec', 'scope'), 'Namespaced');
    assert.equal(valueAt(crd, 'spec', 'versions', 0, 'storage'), true);
    assert.deepEqual(
      listAt(crd, 'spec', 'versions', 0, 'additionalPrinterColumns').map((column) =>
        valueAt(column, 'name'),
      ),
      ['SIZE', 'SYNCED', 'READY', 'COMPOSITION', 'COMPOSITIONREVISION', 'AGE'],
    );
  });
});

describe('claimCrd()', () => {
  const { scope: _, ...spec } = objectAt(XRD, 'spec');
  const old: KubeObject = {
    ...XRD,
    apiVersion: 'apiextensions.crossplane.io/v1',
    spec: { ...spec, claimNames: { kind: 'ThingClaim', plural: 'thingclaims' } },
  };
  const fieldsOf = (definition: KubeObject | undefined, part: string) =>
    Object.keys(
      objectAt(
        definition,
        ...['spec', 'versions', 0, 'schema', 'openAPIV3Schema', 'properties', part, 'properties'],
      ),
    );

  it('gives the claims of an older definition, and none of one of version 2', () => {
    const claims = claimCrd(old);
    assert.deepEqual(
      [valueAt(claims, 'metadata', 'name'), valueAt(claims, 'spec', 'scope')],
      ['thingclaims.example.org', 'Namespaced'],
    );
    assert.deepEqual(fieldsOf(claims, 'spec'), [
      'size',
      'crossplane',
      'compositionRef',
      'compositionSelector',
      'compositionRevisionRef',
      'compositionRevisionSelector',
      'compositionUpdatePolicy',
      'compositeDeletePolicy',
      'resourceRef',
      'writeConnectionSecretToRef',
    ]);
    assert.equal(claimCrd(XRD), undefined);
  });

  it('goes with a composite that has no namespace and its machinery at the root of spec', () => {
    const crdOfOld = compositeCrd(old);
    assert.equal(valueAt(crdOfOld, 'spec', 'scope'), 'Cluster');
    assert.deepEqual(fieldsOf(crdOfOld, 'spec').slice(-4), [
      'compositionUpdatePolicy',
      'resourceRefs',
      'claimRef',
      'writeConnectionSecretToRef',
    ]);
    assert.deepEqual(fieldsOf(crdOfOld, 'status'), [
      'ready',
      'conditions',
      'connectionDetails',
      'claimConditionTypes',
    ]);
  });
});

describe('droppedFields()', () => {
  it('names what says something and is lost', () => {
    assert.deepEqual(
      droppedFields(XRD).map((path) => path.slice(5).join('.')),
      [
        'minProperties',
        'properties.spec.default',
        'properties.spec.anyOf',
        'properties.status.x-kubernetes-preserve-unknown-fields',
      ],
    );
  });
});

describe('resourceSchema()', () => {
  it('knows the versions that are served, and throws for others', () => {
    assert.deepEqual(servedVersions(XRD), ['v1']);
    const { apiVersion, kind, plural, scope } = resourceSchema(XRD, 'v1');
    assert.deepEqual(
      { apiVersion, kind, plural, scope },
      { apiVersion: 'example.org/v1', kind: 'Thing', plural: 'things', scope: 'Namespaced' },
    );
    assert.throws(
      () => resourceSchema(XRD, 'v2'),
      new RangeError('things.example.org has no version v2'),
    );
  });

  it('does not change what it is given', () => {
    const object = { apiVersion: 'example.org/v1', kind: 'Thing', metadata: {}, spec: { x: null } };
    const before = structuredClone(object);
    resourceSchema(XRD, 'v1').check(object, object);
    resourceSchema(XRD, 'v1').applyDefaults(object);
    assert.deepEqual(object, before);
  });
});
