// The IAM role of the nodes, bound to their ServiceAccount.
import type { KubeObject } from '../../core/kube-object.ts';
import { bucketPolicy } from '../aws.ts';
import type { Plan } from '../plan.ts';
import { metadata } from './metadata.ts';

/**
 * A PodIdentity whose role may use the bucket and nothing else. It always has its one policy: taking the
 * last one away would leave it in AWS.
 */
export function podIdentity(plan: Plan): KubeObject {
  const boundary = plan.spec.aws.permissionsBoundaryArn;
  return {
    apiVersion: 'aws.hops.ops.com.ai/v1alpha1',
    kind: 'PodIdentity',
    metadata: metadata(plan, `${plan.name}-celld`),
    spec: {
      managementPolicies: plan.policies,
      clusterName: plan.spec.clusterName,
      region: plan.aws.region,
      providerConfigRef: { ...plan.providerConfigs.aws },
      ...plan.aws.role,
      ...(boundary === undefined ? {} : { permissionsBoundaryArn: boundary }),
      serviceAccount: { name: plan.names.serviceAccount, namespace: plan.namespace },
      inlinePolicy: [{ name: 'celld-s3', policy: bucketPolicy(plan.aws) }],
      labels: plan.labels,
      tags: plan.tags,
    },
  };
}
