// A copy of the AWS credentials Secret in the fleet's namespace.
import type { KubeObject } from '../../core/kube-object.ts';
import type { Plan } from '../plan.ts';
import { copiedSecretName } from '../values.ts';
import { metadata } from './metadata.ts';

/** An Object of a Secret whose one key is patched in from the Secret on the control plane. */
export function credentials(plan: Plan): KubeObject {
  const { name, namespace, key } = credentialsSource(plan);
  return {
    apiVersion: 'kubernetes.m.crossplane.io/v1alpha1',
    kind: 'Object',
    metadata: metadata(plan, `${plan.name}-aws-creds`),
    spec: {
      managementPolicies: plan.policies,
      forProvider: {
        manifest: {
          apiVersion: 'v1',
          kind: 'Secret',
          metadata: {
            name: copiedSecretName(plan.releaseName),
            namespace: plan.namespace,
            labels: plan.labels,
          },
          type: 'Opaque',
        },
      },
      references: [
        {
          patchesFrom: {
            apiVersion: 'v1',
            kind: 'Secret',
            name,
            namespace,
            // A key with a dot in it would be read as a path of two.
            fieldPath: key.includes('.') ? `data[${key}]` : `data.${key}`,
          },
          toFieldPath: 'data.credentials',
        },
      ],
      providerConfigRef: { ...plan.providerConfigs.kubernetes },
    },
  };
}

/** A copy that outlives the wish for it goes on copying what the spec names, or names by default. */
function credentialsSource({ identity, spec, xrNamespace }: Plan) {
  if (identity.kind === 'secret-copy') return identity.source;
  const ref = spec.aws.credentialsSecretRef;
  return {
    name: ref?.name ?? 'aws-creds',
    namespace: ref?.namespace ?? xrNamespace,
    key: ref?.key ?? 'credentials',
  };
}
