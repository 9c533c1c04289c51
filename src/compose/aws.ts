// What the stack makes in AWS: names, region, policies.
import type { CelldStackSpec } from '../api/celld-stack.gen.ts';
import { canonicalText, type JsonObject, stringAt } from '../core/json.ts';
import { MAX_DNS_LABEL_LENGTH, shortName } from '../core/names.ts';
import { sha256Hex } from '../core/sha256.ts';
import { KEYS } from './keys.ts';

export interface AwsPlan {
  readonly bucketName: string;
  readonly region: string;
  /** `aws`, `aws-cn` or `aws-us-gov`. */
  readonly partition: string;
  readonly kmsKeyArn?: string;
  /** How the role is named: by us, or by the PodIdentity from a prefix. */
  readonly role: { readonly roleNameOverride: string } | { readonly rolePrefix?: string };
}

/**
 * Decides about AWS. Whatever exists keeps its name, region and role: none of them can change on a
 * live resource, so an observed one wins over the spec.
 */
export function planAws(
  xrName: string,
  xrNamespace: string,
  spec: CelldStackSpec,
  observed: { readonly [key: string]: JsonObject },
): AwsPlan {
  const bucket = observed[KEYS.bucket];
  const region = stringAt(bucket, 'spec', 'forProvider', 'region') ?? spec.aws.region;
  const kmsKeyArn = spec.aws.kmsKeyArn ?? observedKmsKey(observed[KEYS.encryption]);
  return {
    bucketName:
      stringAt(bucket, 'metadata', 'annotations', 'crossplane.io/external-name') ??
      spec.aws.bucketName ??
      `hops-celld-${xrName}`,
    region,
    partition: partitionOf(region),
    ...(kmsKeyArn === undefined ? {} : { kmsKeyArn }),
    role: roleOf(xrName, xrNamespace, spec, observed[KEYS.podIdentity]),
  };
}

/** The key a bucket is encrypted with already: taking the setting away must not decrypt it. */
function observedKmsKey(encryption: JsonObject | undefined): string | undefined {
  return stringAt(
    encryption,
    ...['spec', 'forProvider', 'rule', 0, 'applyServerSideEncryptionByDefault', 'kmsMasterKeyId'],
  );
}

/**
 * By itself a PodIdentity names the role after cluster and XR, so that two stacks of one name in two
 * namespaces would share a role. A new one gets a name with a hash of both; one that exists keeps the
 * name it was given, since its role cannot be renamed (facts of aws-pod-identity v0.12.0).
 */
function roleOf(
  xrName: string,
  xrNamespace: string,
  spec: CelldStackSpec,
  observed: JsonObject | undefined,
): AwsPlan['role'] {
  const given = stringAt(observed, 'spec', 'roleNameOverride');
  if (given !== undefined) return { roleNameOverride: given };
  const prefix = spec.aws.rolePrefix;
  if (observed !== undefined) return prefix === undefined ? {} : { rolePrefix: prefix };
  const hash = sha256Hex(canonicalText([xrNamespace, xrName, spec.clusterName])).slice(0, 8);
  // The name is also that of a Kubernetes object, which has no upper case and no underscore.
  const words = `${prefix ?? ''}${spec.clusterName}-${xrName}-celld`.toLowerCase();
  const legal = words.replace(/[^a-z0-9.-]+/gu, '-').replace(/[.-]{2,}/gu, '-');
  const room = MAX_DNS_LABEL_LENGTH - hash.length - 1;
  return { roleNameOverride: `${shortName(legal, room)}-${hash}` };
}

/** The AWS partition of a region. */
export function partitionOf(region: string): string {
  if (region.startsWith('cn-')) return 'aws-cn';
  return region.startsWith('us-gov-') ? 'aws-us-gov' : 'aws';
}

/**
 * The IAM policy document of a node: what celld does with its bucket and no more. Listing makes a
 * missing key answer 404 instead of 403; a multipart upload that fails must be given up.
 */
export function bucketPolicy(aws: AwsPlan): string {
  const arn = `arn:${aws.partition}:s3:::${aws.bucketName}`;
  const key = aws.kmsKeyArn;
  return JSON.stringify({
    Version: '2012-10-17',
    Statement: [
      { Sid: 'CelldBucket', Effect: 'Allow', Action: ['s3:ListBucket'], Resource: arn },
      {
        Sid: 'CelldObjects',
        Effect: 'Allow',
        Action: ['s3:GetObject', 's3:PutObject', 's3:DeleteObject', 's3:AbortMultipartUpload'],
        Resource: `${arn}/*`,
      },
      ...(key === undefined
        ? []
        : [
            {
              Sid: 'CelldKey',
              Effect: 'Allow',
              Action: ['kms:GenerateDataKey', 'kms:Decrypt'],
              Resource: key,
            },
          ]),
    ],
  });
}
