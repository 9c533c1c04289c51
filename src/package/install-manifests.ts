// What a person applies to install the package: the Configuration itself, what it cannot carry, and an
// example of what only they know.
import { listAt, stringAt } from '../core/json.ts';
import type { KubeObject } from '../core/kube-object.ts';
import { packageObjectName, parseReference } from './registry/reference.ts';
import type { Sources } from './sources.ts';

/** A manifest and what a reader should know before applying it. */
export interface CommentedManifest {
  readonly comment: string;
  readonly object: KubeObject;
}

const RUNTIME_NAME = 'celld-stack-function';

/**
 * The manifests for a version. A Configuration cannot hold roles. Crossplane itself needs none for what
 * we compose: its RBAC manager grants it every kind that a provider or an XRD defines. People need one in
 * the control plane, and whoever acts in the target cluster needs one there.
 */
export function installManifests(
  { locations, version, configuration }: Sources,
  clusterName: string,
  namespace: string,
): readonly CommentedManifest[] {
  const name = packageObjectName(parseReference(locations.configuration).repository);
  const functionName = packageObjectName(parseReference(locations.function).repository);
  return [
    {
      comment:
        'How the function runs. It is applied first, since Crossplane makes the Function when the Configuration is there.',
      object: runtimeConfig(),
    },
    {
      comment: `The function, under the very name that Crossplane would give it as a dependency and that the Composition refers to, so that it runs as said above. Leave it out, and Crossplane makes it by itself with its default runtime.`,
      object: {
        apiVersion: 'pkg.crossplane.io/v1',
        kind: 'Function',
        metadata: { name: functionName },
        spec: {
          package: `${locations.function}:v${version}`,
          runtimeConfigRef: { name: RUNTIME_NAME },
        },
      },
    },
    {
      comment: `The package. Crossplane installs what it depends on: ${dependencies(configuration.metadata.object)}. Keep this object when you upgrade, and change its package: deleting it deletes every CelldStack.`,
      object: {
        apiVersion: 'pkg.crossplane.io/v1',
        kind: 'Configuration',
        metadata: { name },
        spec: { package: `${locations.configuration}:v${version}` },
      },
    },
    {
      comment:
        'Rights to see and use CelldStacks for the people of a namespace, through the cluster roles every Kubernetes has.',
      object: userRole('edit', ['*']),
    },
    { comment: 'And to look at them.', object: userRole('view', ['get', 'list', 'watch']) },
    ...providerConfigs(clusterName, namespace),
  ];
}

function dependencies(metadata: KubeObject): string {
  return listAt(metadata, 'spec', 'dependsOn')
    .map((one) => `${stringAt(one, 'package')} ${stringAt(one, 'version')}`)
    .join(', ');
}

function runtimeConfig(): KubeObject {
  return {
    apiVersion: 'pkg.crossplane.io/v1beta1',
    kind: 'DeploymentRuntimeConfig',
    metadata: { name: RUNTIME_NAME },
    spec: {
      deploymentTemplate: {
        spec: {
          selector: {},
          template: {
            spec: {
              containers: [
                {
                  name: 'package-runtime',
                  resources: {
                    requests: { cpu: '50m', memory: '128Mi' },
                    limits: { memory: '512Mi' },
                  },
                  securityContext: {
                    allowPrivilegeEscalation: false,
                    capabilities: { drop: ['ALL'] },
                    privileged: false,
                    readOnlyRootFilesystem: true,
                    runAsGroup: 2000,
                    runAsNonRoot: true,
                    runAsUser: 2000,
                    seccompProfile: { type: 'RuntimeDefault' },
                  },
                },
              ],
            },
          },
        },
      },
    },
  };
}

function userRole(role: string, verbs: readonly string[]): KubeObject {
  return {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: {
      name: `celld-stack-${role}`,
      labels: { [`rbac.authorization.k8s.io/aggregate-to-${role}`]: 'true' },
    },
    rules: [
      {
        apiGroups: ['hops.ops.com.ai'],
        resources: ['celldstacks', ...(role === 'view' ? ['celldstacks/status'] : [])],
        verbs: [...verbs],
      },
    ],
  };
}

/** One of each provider, named after the cluster, which is what a CelldStack looks for. */
function providerConfigs(clusterName: string, namespace: string): CommentedManifest[] {
  const metadata = { name: clusterName, namespace };
  const secretRef = { name: `${clusterName}-kubeconfig`, namespace, key: 'kubeconfig' };
  const cluster = (group: string): KubeObject => ({
    apiVersion: `${group}.m.crossplane.io/${group === 'helm' ? 'v1beta1' : 'v1alpha1'}`,
    kind: 'ProviderConfig',
    metadata,
    spec: { credentials: { source: 'Secret', secretRef } },
  });
  return [
    {
      comment: `An example: how a CelldStack with clusterName ${clusterName} in the namespace ${namespace} reaches its cluster. The Secret ${secretRef.name} holds a kubeconfig under the key ${secretRef.key}, whose user may manage namespaces, StatefulSets, Services, ServiceAccounts, Secrets, ConfigMaps, Deployments, PersistentVolumeClaims, PodDisruptionBudgets and NetworkPolicies there: the last role below, bound to it.`,
      object: cluster('kubernetes'),
    },
    { comment: 'The same for provider-helm.', object: cluster('helm') },
    {
      comment: 'Only for spec.aws. Other sources: IRSA, WebIdentity, Secret.',
      object: {
        apiVersion: 'aws.m.upbound.io/v1beta1',
        kind: 'ProviderConfig',
        metadata,
        spec: { credentials: { source: 'PodIdentity' } },
      },
    },
    {
      comment:
        'In the target cluster: what the kubeconfig above, or the service accounts of provider-helm and provider-kubernetes with source InjectedIdentity, must be bound to. It is what the chart and the namespace need and no more.',
      object: targetRole(),
    },
  ];
}

function targetRole(): KubeObject {
  const verbs = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'];
  const rule = (group: string, resources: string[]) => ({ apiGroups: [group], resources, verbs });
  return {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: 'celld-stack-target' },
    rules: [
      rule('', [
        'configmaps',
        'namespaces',
        'persistentvolumeclaims',
        'secrets',
        'serviceaccounts',
        'services',
      ]),
      rule('apps', ['deployments', 'statefulsets']),
      rule('networking.k8s.io', ['networkpolicies']),
      rule('policy', ['poddisruptionbudgets']),
    ],
  };
}
