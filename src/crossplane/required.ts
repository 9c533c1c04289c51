// The objects and schemas a function may ask for, and how Crossplane looks them up.
import {
  compareStrings,
  isObject,
  type JsonObject,
  listAt,
  objectAt,
  stringAt,
} from '../core/json.ts';
import { groupOf, type KubeObject } from '../core/kube-object.ts';
import { nameOf, namespaceOf } from './names.ts';
import type { Resources, Schema } from './protocol.ts';

/** Everything that can be asked for. */
export interface Pool {
  /** One object for each group, version, kind, namespace and name. */
  readonly objects: readonly KubeObject[];
  /** OpenAPI v3 documents, as an API server gives them under `/openapi/v3`. */
  readonly schemas: readonly JsonObject[];
}

/** Which objects are wanted: one by name, or those that bear all labels. */
export interface Selector {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name?: string | undefined;
  readonly labels?: { readonly [label: string]: string } | undefined;
  readonly namespace?: string | undefined;
}

/** A pool; of two objects with one identity the later is kept. */
export function poolOf(objects: readonly KubeObject[], schemas: readonly JsonObject[]): Pool {
  const byIdentity = new Map(objects.map((object) => [identityOf(object), object]));
  return { objects: [...byIdentity.values()], schemas };
}

function identityOf(object: KubeObject): string {
  return JSON.stringify([object.apiVersion, object.kind, namespaceOf(object), nameOf(object)]);
}

/** The objects a selector finds: by name at most one, by labels sorted by namespace and name. */
export function findObjects(pool: Pool, selector: Selector): Resources {
  const namespace = selector.namespace ?? '';
  const found = pool.objects
    .filter(({ apiVersion, kind }) => apiVersion === selector.apiVersion && kind === selector.kind)
    .filter((object) =>
      selector.name === undefined
        ? (namespace === '' || namespaceOf(object) === namespace) && bears(object, selector.labels)
        : nameOf(object) === selector.name && namespaceOf(object) === namespace,
    )
    .sort(
      (a, b) =>
        compareStrings(namespaceOf(a), namespaceOf(b)) || compareStrings(nameOf(a), nameOf(b)),
    );
  return {
    items: found.map((resource) => ({ resource, connectionDetails: {}, ready: 0 })),
  };
}

function bears(object: KubeObject, labels: Selector['labels']): boolean {
  const own = objectAt(object, 'metadata', 'labels');
  return Object.entries(labels ?? {}).every(([key, value]) => own[key] === value);
}

/** The OpenAPI schema of a kind, or an empty answer: a schema that is not there is no error. */
export function findSchema(pool: Pool, wanted: { apiVersion: string; kind: string }): Schema {
  const group = groupOf(wanted.apiVersion);
  const version = wanted.apiVersion.slice(wanted.apiVersion.lastIndexOf('/') + 1);
  for (const document of pool.schemas) {
    for (const schema of Object.values(objectAt(document, 'components', 'schemas'))) {
      // A schema that serves several kinds, such as DeleteOptions, describes none of them.
      const kinds = listAt(schema, 'x-kubernetes-group-version-kind');
      const [only] = kinds;
      if (kinds.length !== 1 || !isObject(schema)) continue;
      const same =
        (stringAt(only, 'group') ?? '').toLowerCase() === group.toLowerCase() &&
        (stringAt(only, 'version') ?? '').toLowerCase() === version.toLowerCase() &&
        stringAt(only, 'kind') === wanted.kind;
      if (same) return { openapiV3: schema };
    }
  }
  return {};
}
