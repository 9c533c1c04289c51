// The keys of the composed resources (crossplane.io/composition-resource-name). Frozen: Crossplane
// deletes the resource of a key that is no longer returned and makes a new one for a new key.

export const KEYS = {
  namespace: 'namespace',
  release: 'helm-release-celld',
  bucket: 's3-bucket',
  publicAccessBlock: 's3-bucket-pab',
  encryption: 's3-bucket-encryption',
  podIdentity: 'pod-identity',
  credentials: 'aws-creds-secret',
  fleet: 'fleet',
  namespaceUsage: 'usage-celld-namespace',
  podIdentityUsage: 'usage-helm-celld-pod-identity',
  bucketUsage: 'usage-helm-celld-s3-bucket',
  credentialsUsage: 'usage-helm-celld-aws-creds',
} as const;

export type Key = (typeof KEYS)[keyof typeof KEYS];
