// From a CompositeResourceDefinition to the CRD Crossplane makes of it: what is added, what is dropped.
import type { FieldPath } from '../core/field-path.ts';
import {
  isObject,
  type Json,
  type JsonObject,
  listAt,
  objectAt,
  stringAt,
  valueAt,
} from '../core/json.ts';
import type { KubeObject } from '../core/kube-object.ts';

/** A composite's name becomes the label value crossplane.io/composite, so no CRD lets it be longer. */
const MAX_COMPOSITE_NAME = 63;

/**
 * The CRD of a v2 CompositeResourceDefinition, as Crossplane 2.3 generates it. At the roots of spec
 * and status only what Crossplane copies survives: a default or anyOf there is lost without a word.
 */
export function compositeCrd(definition: KubeObject): KubeObject {
  const spec = objectAt(definition, 'spec');
  const scope = stringAt(spec, 'scope') ?? 'Namespaced';
  const names = objectAt(spec, 'names');
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: stringAt(definition, 'metadata', 'name') ?? '' },
    spec: {
      group: stringAt(spec, 'group') ?? '',
      names: { ...names, categories: [...listAt(names, 'categories'), 'composite'] },
      scope,
      versions: listAt(spec, 'versions').map((version) => crdVersion(version, spec, scope)),
    },
  };
}

function crdVersion(version: Json, spec: JsonObject, scope: string): JsonObject {
  return {
    name: stringAt(version, 'name') ?? '',
    served: valueAt(version, 'served') ?? false,
    storage: valueAt(version, 'referenceable') ?? false,
    schema: {
      openAPIV3Schema: rootSchema(
        objectAt(version, 'schema', 'openAPIV3Schema'),
        stringAt(spec, 'defaultCompositionUpdatePolicy') ?? 'Automatic',
        scope,
      ),
    },
    subresources: { status: {} },
    additionalPrinterColumns: [...listAt(version, 'additionalPrinterColumns'), ...PRINTER_COLUMNS],
  };
}

function rootSchema(own: JsonObject, updatePolicy: string, scope: string): JsonObject {
  const ownLimit = valueAt(own, 'properties', 'metadata', 'properties', 'name', 'maxLength');
  const maxLength = Math.min(
    MAX_COMPOSITE_NAME,
    typeof ownLimit === 'number' ? ownLimit : MAX_COMPOSITE_NAME,
  );
  return {
    ...only(own, KEPT_AT_ROOT),
    type: 'object',
    required: ['spec'],
    properties: {
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      metadata: { type: 'object', properties: { name: { type: 'string', maxLength } } },
      spec: specSchema(objectAt(own, 'properties', 'spec'), updatePolicy, scope),
      status: statusSchema(objectAt(own, 'properties', 'status')),
    },
  };
}

const KEPT_IN_SPEC = [
  'required',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-validations',
  'oneOf',
  'description',
];
const KEPT_IN_STATUS = ['required', 'x-kubernetes-validations', 'oneOf', 'description'];
const KEPT_AT_ROOT = ['description', 'x-kubernetes-validations'];

/** The parts of an XRD's schemas that say something and that Crossplane does not take over. */
export function droppedFields(definition: KubeObject): readonly FieldPath[] {
  return listAt(definition, 'spec', 'versions').flatMap((version, index) => {
    const root = objectAt(version, 'schema', 'openAPIV3Schema');
    const path = ['spec', 'versions', index, 'schema', 'openAPIV3Schema'];
    const spec = objectAt(root, 'properties', 'spec');
    const status = objectAt(root, 'properties', 'status');
    return [
      ...dropped(root, [...KEPT_AT_ROOT, 'required'], path),
      ...dropped(spec, KEPT_IN_SPEC, [...path, 'properties', 'spec']),
      ...dropped(status, KEPT_IN_STATUS, [...path, 'properties', 'status']),
    ];
  });
}

function dropped(schema: JsonObject, kept: readonly string[], path: FieldPath): FieldPath[] {
  return Object.keys(schema)
    .filter((key) => !kept.includes(key) && key !== 'type' && key !== 'properties')
    .map((key) => [...path, key]);
}

function specSchema(own: JsonObject, updatePolicy: string, scope: string): JsonObject {
  return {
    ...only(own, KEPT_IN_SPEC),
    type: 'object',
    properties: {
      ...objectAt(own, 'properties'),
      crossplane: { type: 'object', properties: machinery(updatePolicy, scope) },
    },
  };
}

function statusSchema(own: JsonObject): JsonObject {
  return {
    ...only(own, KEPT_IN_STATUS),
    type: 'object',
    properties: { ...objectAt(own, 'properties'), conditions: CONDITIONS },
  };
}

function only(from: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(from).filter(([key]) => keys.includes(key)));
}

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

/** The fields of spec.crossplane; composed resources of a namespaced composite have no namespace of their own. */
function machinery(updatePolicy: string, scope: string): JsonObject {
  return {
    compositionRef: NAMED,
    compositionSelector: LABELED,
    compositionRevisionRef: NAMED,
    compositionRevisionSelector: LABELED,
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

const PRINTER_COLUMNS: readonly JsonObject[] = [
  {
    name: 'SYNCED',
    type: 'string',
    jsonPath: ".status.conditions[?(@.type=='Synced')].status",
  },
  { name: 'READY', type: 'string', jsonPath: ".status.conditions[?(@.type=='Ready')].status" },
  { name: 'COMPOSITION', type: 'string', jsonPath: '.spec.crossplane.compositionRef.name' },
  {
    name: 'COMPOSITIONREVISION',
    type: 'string',
    jsonPath: '.spec.crossplane.compositionRevisionRef.name',
    priority: 1,
  },
  { name: 'AGE', type: 'date', jsonPath: '.metadata.creationTimestamp' },
];

/** True for a CompositeResourceDefinition of Crossplane 2. */
export function isCompositeDefinition(object: Json): boolean {
  return (
    isObject(object) &&
    object['kind'] === 'CompositeResourceDefinition' &&
    (stringAt(object, 'apiVersion') ?? '').startsWith('apiextensions.crossplane.io/')
  );
}
