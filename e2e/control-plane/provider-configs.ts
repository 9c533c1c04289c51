// ProviderConfigs that make this same control plane the target cluster of the stacks in a namespace.
import type { Kubernetes } from './kubernetes.ts';

const CONFIGS = [
  ['helm.m.crossplane.io/v1beta1', 'provider-helm'],
  ['kubernetes.m.crossplane.io/v1alpha1', 'provider-kubernetes'],
] as const;

/** Makes a namespace and in it, for both providers, a ProviderConfig of this name. */
export async function prepareNamespace(
  kubernetes: Kubernetes,
  namespace: string,
  clusterName: string,
): Promise<void> {
  const { cluster } = kubernetes;
  await cluster.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  for (const [apiVersion, provider] of CONFIGS) {
    const secretRef = { name: `${clusterName}-${provider}`, namespace, key: 'kubeconfig' };
    await cluster.apply({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: secretRef.name, namespace },
      stringData: { kubeconfig: kubernetes.kubeconfigText(provider) },
    });
    await cluster.apply({
      apiVersion,
      kind: 'ProviderConfig',
      metadata: { name: clusterName, namespace },
      spec: { credentials: { source: 'Secret', secretRef } },
    });
  }
}
