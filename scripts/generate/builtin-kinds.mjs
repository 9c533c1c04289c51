// Kinds that Kubernetes itself has, in the form of a CRD, from its OpenAPI document.

const NAMESPACED = 'Namespaced';
const CLUSTER = 'Cluster';

/** The kinds we compose or render: package of the definition, group, version, kind, plural, scope. */
export const BUILTIN_KINDS = [
  ['core', '', 'v1', 'ConfigMap', 'configmaps', NAMESPACED],
  ['core', '', 'v1', 'Namespace', 'namespaces', CLUSTER],
  ['core', '', 'v1', 'PersistentVolumeClaim', 'persistentvolumeclaims', NAMESPACED],
  ['core', '', 'v1', 'Pod', 'pods', NAMESPACED],
  ['core', '', 'v1', 'Secret', 'secrets', NAMESPACED],
  ['core', '', 'v1', 'Service', 'services', NAMESPACED],
  ['core', '', 'v1', 'ServiceAccount', 'serviceaccounts', NAMESPACED],
  ['apps', 'apps', 'v1', 'Deployment', 'deployments', NAMESPACED],
  ['apps', 'apps', 'v1', 'StatefulSet', 'statefulsets', NAMESPACED],
  ['batch', 'batch', 'v1', 'Job', 'jobs', NAMESPACED],
  ['networking', 'networking.k8s.io', 'v1', 'NetworkPolicy', 'networkpolicies', NAMESPACED],
  ['policy', 'policy', 'v1', 'PodDisruptionBudget', 'poddisruptionbudgets', NAMESPACED],
  ['rbac', 'rbac.authorization.k8s.io', 'v1', 'ClusterRole', 'clusterroles', CLUSTER],
  ['rbac', 'rbac.authorization.k8s.io', 'v1', 'ClusterRoleBinding', 'clusterrolebindings', CLUSTER],
  ['rbac', 'rbac.authorization.k8s.io', 'v1', 'Role', 'roles', NAMESPACED],
  ['rbac', 'rbac.authorization.k8s.io', 'v1', 'RoleBinding', 'rolebindings', NAMESPACED],
];

/** The definition of one of them. Throws when the document does not have it. */
export function builtinDefinition(definitions, [folder, group, version, kind, plural, scope]) {
  const root = structural(
    definitions,
    find(definitions, `io.k8s.api.${folder}.${version}.${kind}`),
  );
  const { apiVersion, kind: kindField, metadata, ...own } = root.properties;
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group || 'core'}` },
    spec: {
      group,
      names: { kind, plural, singular: kind.toLowerCase() },
      scope,
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: {
              ...root,
              properties: {
                apiVersion: { type: 'string' },
                kind: { type: 'string' },
                metadata: { type: 'object' },
                ...own,
              },
            },
          },
        },
      ],
    },
  };
}

/** The document writes names in full or with the last two parts lower-cased and joined; both are found. */
function find(definitions, name) {
  const wanted = name.toLowerCase();
  const found = Object.entries(definitions).find(([key]) => key.toLowerCase() === wanted);
  if (found === undefined) throw new Error(`the Kubernetes definitions have no ${name}`);
  return found[1];
}

const ANY_NUMBER = /resource\.Quantity$|util\.intstr\.IntOrString$/i;

function structural(definitions, schema) {
  const reference = schema.$ref?.split('/').at(-1);
  if (reference !== undefined) {
    if (ANY_NUMBER.test(reference)) return { 'x-kubernetes-int-or-string': true };
    return structural(definitions, find(definitions, reference));
  }
  if (schema.format === 'int-or-string') return { 'x-kubernetes-int-or-string': true };
  const out = {};
  for (const key of KEPT) if (schema[key] !== undefined) out[key] = schema[key];
  if (Array.isArray(schema.type)) out.type = schema.type.find((type) => type !== 'null');
  if (schema.items) out.items = structural(definitions, schema.items);
  if (schema.properties) {
    out.properties = Object.fromEntries(
      Object.entries(schema.properties).map(([name, child]) => [
        name,
        HEAD.includes(name) ? { type: 'string' } : structural(definitions, child),
      ]),
    );
  }
  if (typeof schema.additionalProperties === 'object') {
    out.additionalProperties = structural(definitions, schema.additionalProperties);
  } else if (out.type === 'object' && !schema.properties) {
    out['x-kubernetes-preserve-unknown-fields'] = true;
  }
  return out;
}

const HEAD = ['apiVersion', 'kind'];

// No formats: built-in kinds are decoded by type, which looks at no format.
const KEPT = [
  'type',
  'enum',
  'required',
  'x-kubernetes-list-type',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-map-type',
];
