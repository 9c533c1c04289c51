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
import {
  claimSpec,
  compositeSpec,
  compositeStatus,
  printerColumns,
} from './composite-machinery.ts';

/** A composite's name becomes the label value crossplane.io/composite, so no CRD lets it be longer. */
const MAX_COMPOSITE_NAME = 63;

/** What becomes of a definition: the names, the scope and the fields that Crossplane puts beside its own. */
interface Target {
  readonly names: JsonObject;
  readonly scope: string;
  readonly spec: JsonObject;
  readonly status: JsonObject;
  readonly columns: readonly JsonObject[];
}

/**
 * The CRD of a CompositeResourceDefinition, as Crossplane 2.3 generates it. At the roots of spec and
 * status only what Crossplane copies survives: a default or anyOf there is lost without a word.
 */
export function compositeCrd(definition: KubeObject): KubeObject {
  const spec = objectAt(definition, 'spec');
  const scope = scopeOf(definition);
  const names = objectAt(spec, 'names');
  return crdOf(definition, {
    names: { ...names, categories: [...listAt(names, 'categories'), 'composite'] },
    scope,
    spec: compositeSpec(scope, stringAt(spec, 'defaultCompositionUpdatePolicy') ?? 'Automatic'),
    status: compositeStatus(scope),
    columns: printerColumns(scope),
  });
}

/** The CRD of the claims of a definition; undefined when it offers none, as those of version 2 never do. */
export function claimCrd(definition: KubeObject): KubeObject | undefined {
  const names = objectAt(definition, 'spec', 'claimNames');
  if (stringAt(names, 'kind') === undefined) return undefined;
  return crdOf(definition, {
    names: { ...names, categories: [...listAt(names, 'categories'), 'claim'] },
    scope: 'Namespaced',
    spec: claimSpec(stringAt(definition, 'spec', 'defaultCompositeDeletePolicy') ?? 'Background'),
    status: compositeStatus('LegacyCluster'),
    columns: [],
  });
}

/** Definitions of version 1 that say nothing are of the older, cluster-scoped kind. */
function scopeOf(definition: KubeObject): string {
  const isOld = definition.apiVersion.endsWith('/v1');
  return stringAt(definition, 'spec', 'scope') ?? (isOld ? 'LegacyCluster' : 'Namespaced');
}

function crdOf(definition: KubeObject, target: Target): KubeObject {
  const { names, scope } = target;
  const group = stringAt(definition, 'spec', 'group') ?? '';
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${stringAt(names, 'plural') ?? ''}.${group}` },
    spec: {
      group,
      names,
      scope: scope === 'Namespaced' ? 'Namespaced' : 'Cluster',
      versions: listAt(definition, 'spec', 'versions').map((one) => crdVersion(one, target)),
    },
  };
}

function crdVersion(version: Json, target: Target): JsonObject {
  return {
    name: stringAt(version, 'name') ?? '',
    served: valueAt(version, 'served') ?? false,
    storage: valueAt(version, 'referenceable') ?? false,
    schema: {
      openAPIV3Schema: rootSchema(objectAt(version, 'schema', 'openAPIV3Schema'), target),
    },
    subresources: { status: {} },
    additionalPrinterColumns: [...listAt(version, 'additionalPrinterColumns'), ...target.columns],
  };
}

function rootSchema(own: JsonObject, target: Target): JsonObject {
  const ownLimit = valueAt(own, 'properties', 'metadata', 'properties', 'name', 'maxLength');
  const maxLength = Math.min(
    MAX_COMPOSITE_NAME,
    typeof ownLimit === 'number' ? ownLimit : MAX_COMPOSITE_NAME,
  );
  const spec = objectAt(own, 'properties', 'spec');
  const status = objectAt(own, 'properties', 'status');
  return {
    ...only(own, KEPT_AT_ROOT),
    type: 'object',
    required: ['spec'],
    properties: {
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      metadata: { type: 'object', properties: { name: { type: 'string', maxLength } } },
      spec: {
        ...only(spec, KEPT_IN_SPEC),
        type: 'object',
        properties: { ...objectAt(spec, 'properties'), ...target.spec },
      },
      status: {
        ...only(status, KEPT_IN_STATUS),
        type: 'object',
        properties: { ...objectAt(status, 'properties'), ...target.status },
      },
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

function only(from: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(from).filter(([key]) => keys.includes(key)));
}

/** True for a CompositeResourceDefinition of Crossplane. */
export function isCompositeDefinition(object: Json): boolean {
  return (
    isObject(object) &&
    object['kind'] === 'CompositeResourceDefinition' &&
    (stringAt(object, 'apiVersion') ?? '').startsWith('apiextensions.crossplane.io/')
  );
}
