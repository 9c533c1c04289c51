// The Helm release of the celld chart.
import type { JsonObject } from '../../core/json.ts';
import type { KubeObject } from '../../core/kube-object.ts';
import type { Plan } from '../plan.ts';
import { policiesWithout } from './metadata.ts';

/**
 * The Release. It never makes the namespace, which has an Object of its own; it tries a failed install
 * again, which provider-helm does only with a rollbackLimit; it is looked at every minute, since after
 * each upgrade it is not Ready until the next look.
 */
export function release(plan: Plan): KubeObject {
  return {
    apiVersion: 'helm.m.crossplane.io/v1beta1',
    kind: 'Release',
    metadata: {
      name: plan.releaseName,
      labels: { ...plan.labels, ...plan.conflictLabels },
      annotations: {
        'crossplane.io/external-name': plan.releaseName,
        'crossplane.io/poll-interval': '1m',
      },
    },
    spec: {
      managementPolicies: plan.chart.versionFromUrl
        ? policiesWithout(plan, 'LateInitialize')
        : plan.policies,
      rollbackLimit: 3,
      forProvider: {
        chart: plan.chart.source,
        namespace: plan.namespace,
        skipCreateNamespace: true,
        wait: false,
        values: plan.values,
        ...secretValues(plan),
      },
      providerConfigRef: { ...plan.providerConfigs.helm },
    },
  };
}

/** The credentials go from the Secret to Helm, and are written nowhere on the way. */
function secretValues({ identity }: Plan): JsonObject {
  if (identity.kind !== 'secret-value') return {};
  const { name, key } = identity.source;
  return {
    set: [{ name: 'credentials.sharedCredentials', valueFrom: { secretKeyRef: { name, key } } }],
  };
}
