// Every way to run the chart: one set of values each, the smallest that shows it.
import type { JsonObject } from '../../src/core/json.ts';

/** Text of a credentials file with keys of AWS' own documentation. */
export const CREDENTIALS_FILE = `[default]
aws_access_key_id = AKIAIOSFODNN7EXAMPLE
aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY
aws_session_token = IQoJb3JpZ2luX2VjEXAMPLE==
`;

const CLIENT_ID = '11111111-2222-3333-4444-555555555555';

/** Values by the name of the mode, which is also the name of its golden file. */
export const CHART_MODES: { readonly [mode: string]: JsonObject } = {
  's3-machine-identity': { celld: { bucket: 's3://cells' } },
  's3-keys': {
    celld: { bucket: 's3://cells/prod' },
    credentials: { existingSecret: 'celld-aws' },
    replicaCount: 3,
  },
  's3-compatible': {
    celld: { bucket: 's3://cells', endpoint: 'https://s3.example.com', region: 'auto' },
    credentials: { existingSecret: 'celld-r2' },
  },
  's3-credentials-secret': {
    celld: { bucket: 's3://cells' },
    credentials: { sharedCredentialsSecret: 'aws-creds', sharedCredentialsKey: 'config' },
  },
  's3-credentials-text': {
    celld: { bucket: 's3://cells' },
    credentials: { sharedCredentials: CREDENTIALS_FILE },
  },
  's3-irsa': {
    celld: { bucket: 's3://cells' },
    serviceAccount: {
      annotations: { 'eks.amazonaws.com/role-arn': 'arn:aws:iam::123456789012:role/celld' },
    },
  },
  'gs-key-file': {
    celld: { bucket: 'gs://cells' },
    credentials: { googleServiceAccount: { secretName: 'celld-gcs' } },
  },
  'gs-workload-identity': {
    celld: { bucket: 'gs://cells' },
    serviceAccount: {
      annotations: { 'iam.gke.io/gcp-service-account': 'celld@project.iam.gserviceaccount.com' },
    },
  },
  'az-account-key': {
    celld: { bucket: 'az://cells' },
    azure: { accountName: 'cellsaccount' },
    credentials: { existingSecret: 'celld-azure' },
  },
  'az-managed-identity': {
    celld: { bucket: 'az://cells' },
    azure: { accountName: 'cellsaccount', clientId: CLIENT_ID },
  },
  'az-workload-identity': {
    celld: { bucket: 'az://cells' },
    azure: { accountName: 'cellsaccount' },
    serviceAccount: { annotations: { 'azure.workload.identity/client-id': CLIENT_ID } },
  },
  azurite: { azurite: { enabled: true }, replicaCount: 2 },
  'azurite-in-memory': {
    azurite: { enabled: true, persistence: { enabled: false } },
    persistence: { enabled: false },
  },
  'without-bucket': { celld: { withoutBucket: true } },
  'bucket-in-config-map': {
    celld: { withoutBucket: true },
    extraEnv: [
      { name: 'CELLD_BUCKET', valueFrom: { configMapKeyRef: { name: 'cells', key: 'bucket' } } },
      { name: 'AWS_REGION', value: 'us-east-2' },
    ],
  },
  'dev-placeholder': { dev: { enabled: true } },
  'dev-project': {
    dev: { enabled: true, hostPath: '/src/app', port: 9876, logs: false, clean: true },
  },
  'oldest-release': {
    image: { tag: 'v0.3.0' },
    celld: { bucket: 's3://cells' },
    telemetry: { endpoint: 'http://collector:4318' },
    shutdown: { boundSeconds: 60 },
  },
  'newest-release': {
    image: { tag: '0.6.2' },
    celld: { bucket: 's3://cells' },
    telemetry: { endpoint: 'http://collector:4318' },
    shutdown: { boundSeconds: 60 },
  },
  'full-stop': { celld: { bucket: 's3://cells', durability: 'fleet' }, replicaCount: 0 },
  everything: {
    fullnameOverride: 'cells',
    commonLabels: { team: 'edge' },
    celld: { bucket: 's3://cells' },
    bootstrapPlaceholder: false,
    bootstrap: { image: { digest: `sha256:${'0'.repeat(64)}` } },
    expectation: '1f2e3d4c',
    extraEnv: [
      { name: 'RUST_LOG', value: 'celld=debug' },
      { name: 'CELLD_NODE', valueFrom: { fieldRef: { fieldPath: 'metadata.uid' } } },
    ],
    extraEnvFrom: [{ configMapRef: { name: 'cells-env' } }],
    extraVolumes: [{ name: 'ca', configMap: { name: 'ca' } }],
    extraVolumeMounts: [{ name: 'ca', mountPath: '/etc/ca', readOnly: true }],
    image: { tag: `0.6.2@sha256:${'0'.repeat(64)}` },
    imagePullSecrets: [{ name: 'registry' }],
    networkPolicy: {
      publicFrom: [{ namespaceSelector: { matchLabels: { edge: 'true' } } }],
      internalFrom: [{ podSelector: { matchLabels: { app: 'operator' } } }],
    },
    nodeSelector: { pool: 'cells' },
    podAnnotations: { 'example.com/note': 'hello' },
    podDisruptionBudget: { unhealthyPodEvictionPolicy: 'AlwaysAllow' },
    podLabels: { 'example.com/team': 'edge' },
    priorityClassName: 'high',
    probes: { path: '/healthz', liveness: { enabled: true } },
    server: { host: '0.0.0.0', httpPort: 9090, internalPort: 9091 },
    service: { type: 'LoadBalancer', port: 80, annotations: { 'example.com/lb': 'internal' } },
    serviceAccount: { create: false, name: 'cells-account' },
    terminationGracePeriodSeconds: 120,
    tolerations: [{ key: 'cells', operator: 'Exists' }],
    topologySpreadConstraints: [],
    updateStrategy: { type: 'OnDelete' },
  },
};
