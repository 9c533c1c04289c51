// The namespace of the fleet on the target cluster.
import type { KubeObject } from '../../core/kube-object.ts';
import type { Plan } from '../plan.ts';
import { metadata, policiesWithout } from './metadata.ts';

/** An Object of a Namespace. Without Delete where the namespace is not ours to remove. */
export function namespace(plan: Plan): KubeObject {
  return {
    apiVersion: 'kubernetes.m.crossplane.io/v1alpha1',
    kind: 'Object',
    metadata: metadata(plan, `${plan.name}-namespace`),
    spec: {
      managementPolicies: plan.namespaceGoes ? plan.policies : policiesWithout(plan, 'Delete'),
      forProvider: {
        manifest: {
          apiVersion: 'v1',
          kind: 'Namespace',
          metadata: { name: plan.namespace, labels: plan.labels },
        },
      },
      providerConfigRef: { ...plan.providerConfigs.kubernetes },
    },
  };
}
