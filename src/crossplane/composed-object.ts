// A desired resource as the object Crossplane applies: its name, its labels, its owner.
import { isObject, type Json, type JsonObject, listAt, objectAt, stringAt } from '../core/json.ts';
import type { KubeObject } from '../core/kube-object.ts';
import { checkMetadata, decodeMetadata } from '../schema/check-metadata.ts';
import { fail } from './failure.ts';
import {
  COMPOSITE_LABEL,
  describeObject,
  generatedName,
  nameFault,
  nameOf,
  namespaceOf,
  RESOURCE_NAME_ANNOTATION,
} from './names.ts';
import type { Event } from './pipeline.ts';
import { isClusterScoped } from './scope.ts';

/** A composed resource, ready to be applied. */
export interface ComposedObject {
  readonly key: string;
  readonly object: KubeObject;
  readonly ready: boolean;
}

/**
 * The object of a desired resource. One that is observed keeps its namespace, name and generateName,
 * whatever the function says: a composed resource is never renamed or moved. Throws a
 * ReconcileFailure where a cluster refuses.
 */
export function composedObject(
  key: string,
  desired: Json | undefined,
  xr: KubeObject,
  observed: KubeObject | undefined,
): { readonly object: KubeObject; readonly events: readonly Event[] } {
  const { apiVersion, kind } = typeOf(key, desired);
  const namespace = namespaceOf(xr);
  const wished = observed ?? { apiVersion, kind, metadata: objectAt(desired, 'metadata') };
  if (namespace !== '' && isClusterScoped(apiVersion, kind))
    fail(
      'COMPOSED_SCOPE',
      `cannot apply cluster scoped composed resource ${JSON.stringify(key)} (a ${describeObject(wished)}) for a namespaced composite resource`,
      'compose it inside a kubernetes.m.crossplane.io Object',
    );
  const metadata = metadataOf(key, objectAt(desired, 'metadata'), xr, observed);
  const object = { ...objectAt(desired), apiVersion, kind, metadata };
  const fault = nameFault(apiVersion, kind, nameOf(object));
  if (fault !== undefined)
    fail(
      'COMPOSED_NAME',
      `cannot apply composed resource ${JSON.stringify(key)} because it has an invalid name ${JSON.stringify(nameOf(object))}. Must be a valid RFC 1123 subdomain name.`,
      `choose another name: ${fault}`,
    );
  refuseMetadata(key, object);
  return { object, events: overridden(key, namespaceOf(wished), namespace) };
}

/** Labels and annotations that no API server accepts; names were checked by their own rule. */
function refuseMetadata(key: string, object: KubeObject): void {
  const [finding] = [
    ...decodeMetadata(object.metadata, ['metadata']),
    ...checkMetadata(object),
  ].filter(({ path }) => path[1] !== 'name' && path[1] !== 'generateName');
  if (finding === undefined) return;
  fail(
    'COMPOSED_INVALID',
    `cannot apply composed resource ${JSON.stringify(key)}: ${finding.field}: ${finding.message}`,
  );
}

function typeOf(key: string, desired: Json | undefined): { apiVersion: string; kind: string } {
  const apiVersion = stringAt(desired, 'apiVersion');
  const kind = stringAt(desired, 'kind');
  if (apiVersion !== undefined && kind !== undefined) return { apiVersion, kind };
  return fail(
    'COMPOSED_INVALID',
    `cannot unmarshal desired composed resource ${JSON.stringify(key)}: found no ${apiVersion === undefined ? 'apiVersion' : 'kind'}: expected a Kubernetes object`,
  );
}

function overridden(key: string, wished: string, namespace: string): readonly Event[] {
  if (namespace === '' || wished === '' || wished === namespace) return [];
  return [
    {
      severity: 'Warning',
      reason: 'NamespaceOverridden',
      message: `cannot create composed resource ${JSON.stringify(key)} in namespace ${JSON.stringify(wished)}, using XR namespace ${JSON.stringify(namespace)} instead`,
    },
  ];
}

function metadataOf(
  key: string,
  desired: JsonObject,
  xr: KubeObject,
  observed: KubeObject | undefined,
): JsonObject {
  const { name, generateName, namespace, ...rest } = desired;
  const from: JsonObject =
    observed?.metadata ??
    withoutEmpty({ name, generateName, namespace: namespaceOf(xr) || namespace });
  const wished = stringAt(from, 'name');
  const prefix = stringAt(from, 'generateName') ?? (wished === undefined ? `${nameOf(xr)}-` : '');
  return {
    ...rest,
    ...withoutEmpty({
      name: wished ?? generatedName(prefix, stringAt(xr, 'metadata', 'uid') ?? '', key),
      generateName: prefix,
      namespace: from['namespace'],
    }),
    annotations: { ...objectAt(desired, 'annotations'), [RESOURCE_NAME_ANNOTATION]: key },
    labels: { ...objectAt(desired, 'labels'), [COMPOSITE_LABEL]: nameOf(xr) },
    ownerReferences: ownersOf(key, desired, xr),
  };
}

function withoutEmpty(fields: { [field: string]: Json | undefined }): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([key, value]) =>
      typeof value === 'string' && value !== '' ? [[key, value]] : [],
    ),
  );
}

/** The owners the function gave, and the XR as the controller in place of an earlier entry of its own. */
function ownersOf(key: string, desired: JsonObject, xr: KubeObject): readonly Json[] {
  const uid = stringAt(xr, 'metadata', 'uid') ?? '';
  const others = listAt(desired, 'ownerReferences').filter((one) => stringAt(one, 'uid') !== uid);
  const controller = others.find((one) => isObject(one) && one['controller'] === true);
  if (controller !== undefined)
    fail(
      'COMPOSED_OWNER',
      `cannot render composed resource ${JSON.stringify(key)}: it is already controlled by ${stringAt(controller, 'kind')} ${stringAt(controller, 'name')} (UID ${stringAt(controller, 'uid')})`,
    );
  return [...others, controllerReference(xr)];
}

/** The owner reference that makes an XR the controller of an object. */
export function controllerReference(xr: KubeObject): JsonObject {
  return {
    apiVersion: xr.apiVersion,
    kind: xr.kind,
    name: nameOf(xr),
    uid: stringAt(xr, 'metadata', 'uid') ?? '',
    controller: true,
    blockOwnerDeletion: true,
  };
}

/** The uid of the controller of an object, or undefined. */
export function controllerOf(object: KubeObject): string | undefined {
  const controller = listAt(object, 'metadata', 'ownerReferences').find(
    (one) => isObject(one) && one['controller'] === true,
  );
  return stringAt(controller, 'uid');
}

/** Throws a ReconcileFailure when two desired resources are one object: each would undo the other. */
export function refuseDuplicates(composed: readonly ComposedObject[]): void {
  const seen = new Map<string, string>();
  for (const { key, object } of composed) {
    const group = object.apiVersion.replace(/\/?[^/]*$/u, '');
    const identity = JSON.stringify([group, object.kind, namespaceOf(object), nameOf(object)]);
    const other = seen.get(identity);
    if (other !== undefined)
      fail(
        'COMPOSED_DUPLICATE',
        `composed resources ${JSON.stringify(other)} and ${JSON.stringify(key)} are one object, ${describeObject(object)}: each would replace the other`,
        'give each composed resource a name of its own',
      );
    seen.set(identity, key);
  }
}
