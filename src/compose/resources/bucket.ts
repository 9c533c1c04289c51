// The S3 bucket of the fleet and what guards it.
import type { KubeObject } from '../../core/kube-object.ts';
import type { Plan } from '../plan.ts';
import { metadata, policiesWithout } from './metadata.ts';

const API_VERSION = 's3.aws.m.upbound.io/v1beta1';

/** The Bucket. Its name in AWS is decided up front, as external name. */
export function bucket(plan: Plan): KubeObject {
  const { aws } = plan;
  return {
    apiVersion: API_VERSION,
    kind: 'Bucket',
    metadata: bucketMetadata(plan, bucketObjectName(plan)),
    spec: {
      managementPolicies: bucketPolicies(plan),
      forProvider: {
        region: aws.region,
        forceDestroy: plan.spec.aws.forceDestroy,
        tags: { Name: aws.bucketName, ...plan.tags },
      },
      providerConfigRef: { ...plan.providerConfigs.aws },
    },
  };
}

/** Nobody reads the bucket without credentials. Every setting that is left out would be off. */
export function publicAccessBlock(plan: Plan): KubeObject {
  return {
    apiVersion: API_VERSION,
    kind: 'BucketPublicAccessBlock',
    metadata: bucketMetadata(plan, `${plan.name}-s3-pab`),
    spec: {
      managementPolicies: bucketPolicies(plan),
      forProvider: {
        region: plan.aws.region,
        bucketRef: { name: bucketObjectName(plan) },
        blockPublicAcls: true,
        blockPublicPolicy: true,
        ignorePublicAcls: true,
        restrictPublicBuckets: true,
      },
      providerConfigRef: { ...plan.providerConfigs.aws },
    },
  };
}

/**
 * Encryption with a key of the user's. `blockedEncryptionTypes` is said out loud: left out, the provider
 * sees a difference to what S3 reports and writes it again and again.
 */
export function encryption(plan: Plan): KubeObject {
  return {
    apiVersion: API_VERSION,
    kind: 'BucketServerSideEncryptionConfiguration',
    metadata: bucketMetadata(plan, `${plan.name}-s3-encryption`),
    spec: {
      managementPolicies: bucketPolicies(plan),
      forProvider: {
        region: plan.aws.region,
        bucketRef: { name: bucketObjectName(plan) },
        rule: [
          {
            applyServerSideEncryptionByDefault: {
              sseAlgorithm: 'aws:kms',
              kmsMasterKeyId: plan.aws.kmsKeyArn ?? '',
            },
            bucketKeyEnabled: true,
            blockedEncryptionTypes: ['SSE-C'],
          },
        ],
      },
      providerConfigRef: { ...plan.providerConfigs.aws },
    },
  };
}

function bucketObjectName(plan: Plan): string {
  return `${plan.name}-s3`;
}

/** All three are known in AWS by the bucket's name. */
function bucketMetadata(plan: Plan, name: string) {
  return metadata(plan, name, { 'crossplane.io/external-name': plan.aws.bucketName });
}

/** What guards a bucket that stays must stay too. */
function bucketPolicies(plan: Plan): readonly string[] {
  return plan.bucketGoes ? plan.policies : policiesWithout(plan, 'Delete');
}
