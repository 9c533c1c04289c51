// Kinds that have no namespace. A namespaced XR cannot compose them: a cluster refuses, the official render does not notice.
import { groupOf } from '../core/kube-object.ts';

/** Cluster-scoped kinds of groups that hold namespaced kinds as well. */
const CLUSTER_KINDS: { readonly [group: string]: readonly string[] } = {
  '': ['ComponentStatus', 'Namespace', 'Node', 'PersistentVolume'],
  'authentication.k8s.io': ['SelfSubjectReview', 'TokenReview'],
  'authorization.k8s.io': [
    'SelfSubjectAccessReview',
    'SelfSubjectRulesReview',
    'SubjectAccessReview',
  ],
  'cert-manager.io': ['ClusterIssuer'],
  'external-secrets.io': ['ClusterExternalSecret', 'ClusterPushSecret', 'ClusterSecretStore'],
  'gateway.networking.k8s.io': ['GatewayClass'],
  'kyverno.io': ['ClusterPolicy'],
  'networking.k8s.io': ['IngressClass', 'IPAddress', 'ServiceCIDR'],
  'policy.networking.k8s.io': ['AdminNetworkPolicy', 'BaselineAdminNetworkPolicy'],
  'protection.crossplane.io': ['ClusterUsage'],
  'rbac.authorization.k8s.io': ['ClusterRole', 'ClusterRoleBinding'],
  'resource.k8s.io': ['DeviceClass', 'ResourceSlice'],
  'storage.k8s.io': [
    'CSIDriver',
    'CSINode',
    'StorageClass',
    'VolumeAttachment',
    'VolumeAttributesClass',
  ],
};

/** Groups without a namespaced kind. */
const CLUSTER_GROUPS = [
  'admissionregistration.k8s.io',
  'apiextensions.crossplane.io',
  'apiextensions.k8s.io',
  'apiregistration.k8s.io',
  'certificates.k8s.io',
  'flowcontrol.apiserver.k8s.io',
  'node.k8s.io',
  'ops.crossplane.io',
  'pkg.crossplane.io',
  'scheduling.k8s.io',
];

/**
 * True for a kind known to be cluster-scoped. Crossplane's providers have two families of groups:
 * `helm.m.crossplane.io` is namespaced, apart from ClusterProviderConfig; the older
 * `helm.crossplane.io` and `s3.aws.upbound.io` are cluster-scoped. A kind that is not known counts
 * as namespaced.
 */
export function isClusterScoped(apiVersion: string, kind: string): boolean {
  const group = groupOf(apiVersion);
  if (CLUSTER_GROUPS.includes(group) || CLUSTER_KINDS[group]?.includes(kind)) return true;
  if (/\.m\.(?:crossplane|upbound)\.io$/u.test(group))
    return kind.startsWith('ClusterProviderConfig');
  return /^(?:helm|kubernetes)\.crossplane\.io$|\.upbound\.io$/u.test(group);
}
