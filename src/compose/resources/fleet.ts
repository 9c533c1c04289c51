// A look at the StatefulSet of the fleet.
import type { KubeObject } from '../../core/kube-object.ts';
import { celQueryOf } from '../fleet.ts';
import type { Plan } from '../plan.ts';
import { metadata } from './metadata.ts';

/** An Object that observes the StatefulSet and is ready when it is as asked for. It changes nothing. */
export function fleet(plan: Plan): KubeObject {
  return {
    apiVersion: 'kubernetes.m.crossplane.io/v1alpha1',
    kind: 'Object',
    metadata: metadata(plan, `${plan.name}-fleet`),
    spec: {
      managementPolicies: ['Observe'],
      forProvider: {
        manifest: {
          apiVersion: 'apps/v1',
          kind: 'StatefulSet',
          metadata: { name: plan.names.statefulSet, namespace: plan.namespace },
        },
      },
      readiness: { policy: 'DeriveFromCelQuery', celQuery: celQueryOf(plan.expectation) },
      providerConfigRef: { ...plan.providerConfigs.kubernetes },
    },
  };
}
