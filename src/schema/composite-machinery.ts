// The fields Crossplane puts into spec and status of composites and claims (crossplane-runtime 2.3, xcrd).
import type { JsonObject } from '../core/json.ts';

const NAMED: JsonObject = {
  type: 'object',
  required: ['name'],
  properties: { name: { type: 'string' } },
};

const LABELED: JsonObject = {
  type: 'object',
  required: ['matchLabels'],
  properties: {
    matchLabels: { type: 'object', additionalProperties: { type: 'string' } },
  },
};

/** What composites of every kind and claims say of their Composition. */
const COMPOSITION: JsonObject = {
  compositionRef: NAMED,
  compositionSelector: LABELED,
  compositionRevisionRef: NAMED,
  compositionRevisionSelector: LABELED,
};

function required(...names: readonly string[]): JsonObject {
  const properties = Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
  return { type: 'object', required: names, properties };
}

/**
 * The fields of a composite's spec: within `crossplane`, and for the older kind with claims beside its
 * own. Composed resources of a namespaced composite have no namespace of their own.
 */
export function compositeSpec(scope: string, updatePolicy: string): JsonObject {
  const machinery: JsonObject = {
    ...COMPOSITION,
    compositionUpdatePolicy: {
      type: 'string',
      enum: ['Automatic', 'Manual'],
      default: updatePolicy,
    },
    resourceRefs: {
      type: 'array',
      'x-kubernetes-list-type': 'atomic',
      items: {
        type: 'object',
        required: ['apiVersion', 'kind'],
        properties: {
          apiVersion: { type: 'string' },
          name: { type: 'string' },
          kind: { type: 'string' },
          ...(scope === 'Namespaced' ? {} : { namespace: { type: 'string' } }),
        },
      },
    },
  };
  if (scope !== 'LegacyCluster') return { crossplane: { type: 'object', properties: machinery } };
  return {
    ...machinery,
    claimRef: required('apiVersion', 'kind', 'namespace', 'name'),
    writeConnectionSecretToRef: required('name', 'namespace'),
  };
}

/** The fields of a claim's spec. */
export function claimSpec(deletePolicy: string): JsonObject {
  return {
    ...COMPOSITION,
    compositionUpdatePolicy: { type: 'string', enum: ['Automatic', 'Manual'] },
    compositeDeletePolicy: {
      type: 'string',
      enum: ['Background', 'Foreground'],
      default: deletePolicy,
    },
    resourceRef: required('apiVersion', 'kind', 'name'),
    writeConnectionSecretToRef: required('name'),
  };
}

/** The fields of a composite's status. */
export function compositeStatus(scope: string): JsonObject {
  if (scope !== 'LegacyCluster') return { conditions: CONDITIONS };
  return {
    conditions: CONDITIONS,
    connectionDetails: {
      type: 'object',
      properties: { lastPublishedTime: { type: 'string', format: 'date-time' } },
    },
    claimConditionTypes: {
      type: 'array',
      'x-kubernetes-list-type': 'set',
      items: { type: 'string' },
    },
  };
}

const CONDITIONS: JsonObject = {
  description: 'Conditions of the resource.',
  type: 'array',
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['type'],
  items: {
    type: 'object',
    required: ['lastTransitionTime', 'reason', 'status', 'type'],
    properties: {
      lastTransitionTime: { type: 'string', format: 'date-time' },
      message: { type: 'string' },
      reason: { type: 'string' },
      status: { type: 'string' },
      type: { type: 'string' },
      observedGeneration: { type: 'integer', format: 'int64' },
    },
  },
};

/** The columns of `kubectl get` that Crossplane appends. */
export function printerColumns(scope: string): readonly JsonObject[] {
  const spec = scope === 'LegacyCluster' ? '.spec' : '.spec.crossplane';
  const condition = (type: string) => `.status.conditions[?(@.type=='${type}')].status`;
  return [
    { name: 'SYNCED', type: 'string', jsonPath: condition('Synced') },
    { name: 'READY', type: 'string', jsonPath: condition('Ready') },
    { name: 'COMPOSITION', type: 'string', jsonPath: `${spec}.compositionRef.name` },
    {
      name: 'COMPOSITIONREVISION',
      type: 'string',
      jsonPath: `${spec}.compositionRevisionRef.name`,
      priority: 1,
    },
    { name: 'AGE', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  ];
}
