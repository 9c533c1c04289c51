// One spec for each way to run a fleet, shared by tests that hold for all of them.
import type { JsonObject } from '../../src/core/json.ts';

export const MODES: { readonly [mode: string]: JsonObject } = {
  'no bucket': {},
  's3 with the identity of the platform': { bucket: 's3://cells/prod', replicaCount: 3 },
  's3 with keys': { bucket: 's3://cells', credentials: { existingSecret: 'keys' } },
  'an S3-compatible store': {
    bucket: 's3://cells',
    endpoint: 'https://s3.example.com',
    region: 'auto',
    credentials: { existingSecret: 'keys' },
  },
  'gs with workload identity': {
    bucket: 'gs://cells',
    serviceAccount: { annotations: { 'iam.gke.io/gcp-service-account': 'cells@example.com' } },
  },
  'gs with a key file': {
    bucket: 'gs://cells',
    credentials: { googleServiceAccount: { secretName: 'google' } },
  },
  'az with a key': {
    bucket: 'az://cells',
    azure: { accountName: 'cellsexample' },
    credentials: { existingSecret: 'keys' },
  },
  'az with a managed identity': {
    bucket: 'az://cells',
    azure: { accountName: 'cellsexample', clientId: '00000000-0000-0000-0000-000000000000' },
  },
  'az with workload identity': {
    bucket: 'az://cells',
    azure: { accountName: 'cellsexample' },
    serviceAccount: { annotations: { 'azure.workload.identity/client-id': 'c' } },
  },
  azurite: { azurite: { enabled: true } },
  'aws with Pod Identity': { aws: { enabled: true } },
  'aws with a key of its own': {
    aws: { enabled: true, kmsKeyArn: 'arn:aws:kms:us-east-2:111122223333:key/k' },
  },
  'aws with a credentials Secret': { aws: { enabled: true, podIdentity: { enabled: false } } },
  'aws with a Secret of another namespace': {
    aws: {
      enabled: true,
      podIdentity: { enabled: false },
      credentialsSecretRef: { namespace: 'secrets' },
    },
  },
  'aws with IRSA': {
    aws: { enabled: true, podIdentity: { enabled: false } },
    serviceAccount: { annotations: { 'eks.amazonaws.com/role-arn': 'arn:aws:iam::1:role/r' } },
  },
  dev: { dev: { enabled: true, hostPath: '/src' } },
  'a foreign chart': {
    bucket: 'az://cells',
    azure: { accountName: 'cellsexample' },
    chartRepository: 'https://hops-ops.github.io/celld-chart',
  },
  'all values overridden': { overrideAllValues: { celld: { bucket: 's3://cells' } } },
};
