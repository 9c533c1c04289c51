// Values that cannot work, and the sentences the chart refuses them with. Each sentence stands here once.
import type { JsonObject } from '../../src/core/json.ts';

export interface Refusal {
  readonly why: string;
  readonly values: JsonObject;
  /** The sentences, one a problem. */
  readonly says: readonly string[];
}

const bucket = { bucket: 's3://cells' };
const CLIENT_ID = '11111111-2222-3333-4444-555555555555';

/** About the release, its store and its environment. */
export const STORE_REFUSALS: readonly Refusal[] = [
  {
    why: 'no bucket at all',
    values: {},
    says: [
      'celld.bucket: required: a node without a bucket answers 404 to everything: set it to s3://NAME, gs://NAME or az://CONTAINER; to try celld out set azurite.enabled or dev.enabled; or set celld.withoutBucket if that is what you want',
    ],
  },
  {
    why: 'a grace below the bound of the release',
    values: { celld: bucket, terminationGracePeriodSeconds: 35 },
    says: [
      'terminationGracePeriodSeconds: 35 is too short: celld 0.6.2 may take 40 s to stop after a pause of 5 s and would be killed while it hands its cells over: use at least 60, or remove it',
    ],
  },
  {
    why: 'a grace below the bound that extraEnv asks for',
    values: {
      celld: bucket,
      image: { tag: 'v0.3.0' },
      terminationGracePeriodSeconds: 60,
      extraEnv: [{ name: 'CELLD_SHUTDOWN_DRAIN_MS', value: '60500' }],
      shutdown: { preStopSeconds: 10 },
    },
    says: [
      'terminationGracePeriodSeconds: 60 is too short: celld 0.3.0 may take 61 s to stop after a pause of 10 s and would be killed while it hands its cells over: use at least 101, or remove it',
    ],
  },
  {
    why: 'an endpoint with Google Cloud Storage',
    values: { celld: { bucket: 'gs://cells', endpoint: 'https://s3.example.com' } },
    says: [
      'celld.endpoint: an endpoint belongs to an s3:// bucket, and celld refuses it with gs://: remove it',
    ],
  },
  {
    why: 'an endpoint and no account with Azure',
    values: { celld: { bucket: 'az://cells', endpoint: 'https://s3.example.com' } },
    says: [
      'celld.endpoint: an endpoint belongs to an s3:// bucket, and celld refuses it with az://: remove it',
      'azure.accountName: required: an az:// bucket names the container only: set the storage account',
    ],
  },
  {
    why: 'a scheme celld does not know',
    values: { celld: { bucket: 'https://cells.example.com' } },
    says: [
      'celld.bucket: "https://cells.example.com" is not s3://NAME, gs://NAME or az://CONTAINER, each with an optional /PREFIX',
    ],
  },
  {
    why: 'a character celld does not take in a prefix',
    values: { celld: { bucket: 's3://cells/a b' } },
    says: [
      'celld.bucket: "s3://cells/a b": a name and a prefix may hold letters, digits and - _ . only',
    ],
  },
  {
    why: 'Azure with a release that has none of it',
    values: {
      celld: { bucket: 'az://cells' },
      azure: { accountName: 'cells' },
      image: { tag: '0.2.1' },
    },
    says: ['celld.bucket: celld 0.2.1 cannot use az:// buckets: use a newer image.tag'],
  },
  {
    why: 'a release with one listener',
    values: { celld: bucket, image: { tag: '0.1.0' }, telemetry: { endpoint: 'http://otel:4318' } },
    says: [
      'image.tag: celld 0.1.0 has one listener for Workers and peers, which this chart cannot keep apart: use 0.2.0 or newer',
      'telemetry.endpoint: celld 0.1.0 sends no telemetry: remove it, or use 0.2.0 or newer',
    ],
  },
  {
    why: 'a tag that names no release',
    values: { celld: bucket, image: { tag: 'latest' } },
    says: [
      'image.tag: "latest" does not say which celld release it is: use a release such as 0.6.2, or set probes.path and terminationGracePeriodSeconds to what that image needs',
    ],
  },
  {
    why: 'variables the release refuses, and one that is empty',
    values: {
      celld: bucket,
      extraEnv: [
        { name: 'CELLD_SHUTDOWN_DRAIN_MS', value: '30000' },
        { name: 'CELLD_VAR_GREETING', value: 'hello' },
        { name: 'CELLD_IDLE_EVICT_S', value: '' },
        { name: 'CELLD_ADDR', value: '0.0.0.0:80' },
      ],
    },
    says: [
      'extraEnv: celld 0.6.2 does not start with CELLD_SHUTDOWN_DRAIN_MS: remove it',
      'extraEnv: celld 0.6.2 does not start with CELLD_VAR_GREETING: remove it',
      'extraEnv: CELLD_IDLE_EVICT_S is empty, which celld takes for a wrong value and not for none: remove it',
      'extraEnv: CELLD_ADDR is set by the chart: use server.host and server.httpPort',
    ],
  },
  {
    why: 'a bound that cannot be read, and is given twice',
    values: {
      celld: bucket,
      shutdown: { boundSeconds: 50 },
      extraEnv: [{ name: 'CELLD_SHUTDOWN_TOTAL_MS', valueFrom: { fieldRef: { fieldPath: 'x' } } }],
    },
    says: [
      'extraEnv: CELLD_SHUTDOWN_TOTAL_MS and shutdown.boundSeconds say the same: remove one of them',
      'extraEnv: CELLD_SHUTDOWN_TOTAL_MS must be given as a value in milliseconds, since the grace depends on it',
    ],
  },
];

/** About credentials. None of them prints any. */
export const CREDENTIAL_REFUSALS: readonly Refusal[] = [
  {
    why: 'two kinds of credentials',
    values: {
      celld: bucket,
      credentials: { existingSecret: 'aws' },
      serviceAccount: { annotations: { 'eks.amazonaws.com/role-arn': 'arn:aws:iam::1:role/r' } },
    },
    says: [
      'credentials.existingSecret and serviceAccount.annotations[eks.amazonaws.com/role-arn]: one store, one kind of credentials: keep one of them',
    ],
  },
  {
    why: 'two Azure identities',
    values: {
      celld: { bucket: 'az://cells' },
      azure: { accountName: 'cells', clientId: CLIENT_ID },
      serviceAccount: { annotations: { 'azure.workload.identity/client-id': 'other' } },
    },
    says: [
      'serviceAccount.annotations[azure.workload.identity/client-id] and azure.clientId: one store, one kind of credentials: keep one of them',
    ],
  },
  {
    why: 'credentials of another cloud',
    values: {
      celld: { bucket: 'gs://cells' },
      azure: { accountName: 'cells' },
      credentials: { sharedCredentialsSecret: 'aws' },
    },
    says: [
      'credentials.sharedCredentialsSecret: AWS credentials belong to an s3:// bucket: remove them',
      'azure: a storage account belongs to an az:// bucket of Azure itself: remove azure.accountName and azure.clientId',
    ],
  },
  {
    why: 'a Google key file for S3',
    values: { celld: bucket, credentials: { googleServiceAccount: { secretName: 'gcs' } } },
    says: [
      'credentials.googleServiceAccount: a Google key file belongs to a gs:// bucket: remove it',
    ],
  },
  {
    why: 'Azurite beside a bucket',
    values: { celld: bucket, azurite: { enabled: true } },
    says: [
      'azurite.enabled: Azurite holds az://celld, but celld.bucket is "s3://cells": a fleet has one store: remove one of the two',
    ],
  },
  {
    why: 'a credentials file without the secret key, as a comma leaves it',
    values: {
      celld: bucket,
      credentials: { sharedCredentials: '[default]\naws_access_key_id = AKIASECRET' },
    },
    says: [
      'credentials.sharedCredentials: no line "aws_secret_access_key = ..." under [default]: give the whole file; a text given with --set, or with set of a Release, ends at a comma and loses its backslashes',
    ],
  },
  {
    why: 'the rest of a credentials file as a key, which is not printed',
    values: {
      celld: bucket,
      credentials: {
        sharedCredentials: '[default]\naws_access_key_id = AKIA\naws_secret_access_key = half',
      },
      'otherhalf\naws_session_token ': ' token',
    },
    says: [
      '1 unknown keys at the root beside credentials.sharedCredentials: a text given with --set, or with set of a Release, ends at a comma; use credentials.sharedCredentialsSecret for a text that holds one',
    ],
  },
];

/** About nodes, names and forms. */
export const NODE_REFUSALS: readonly Refusal[] = [
  {
    why: 'celld dev beside a bucket, on three nodes, with a release that has none of it',
    values: { celld: bucket, dev: { enabled: true }, replicaCount: 3, image: { tag: '0.3.0' } },
    says: [
      'dev.enabled: celld 0.3.0 has no dev command: use 0.4.0 or newer',
      'dev.enabled: celld dev keeps its data in a store of its own: remove celld.bucket and azurite.enabled, or dev.enabled',
      'replicaCount: celld dev is one process with a store of its own: use 1',
    ],
  },
  {
    why: 'a placeholder that nobody writes',
    values: { celld: bucket, bootstrap: { enabled: false } },
    says: [
      'bootstrap.enabled: the placeholder is written by bootstrap: set bootstrapPlaceholder to false as well',
    ],
  },
  {
    why: 'one disk for several nodes, and fleet durability without disks',
    values: {
      celld: { ...bucket, durability: 'fleet' },
      persistence: { enabled: false, existingClaim: 'disk' },
      replicaCount: 2,
    },
    says: [
      'persistence.existingClaim: one claim cannot be shared by several nodes: use replicaCount 1, or remove it so that each node gets a claim of its own',
      "celld.durability: fleet acknowledges writes from the nodes' disks: set persistence.enabled to true, or use bucket",
    ],
  },
  {
    why: 'nobody to run as, labels of the selector, and one port for two listeners',
    values: {
      celld: bucket,
      podLabels: { 'app.kubernetes.io/component': 'mine' },
      server: { httpPort: 8081 },
      serviceAccount: { create: false },
    },
    says: [
      'serviceAccount.name: required when serviceAccount.create is false: name the account that exists, for example default',
      'podLabels: app.kubernetes.io/component is how the chart finds its pods: use another label',
      'server.internalPort: must differ from server.httpPort',
    ],
  },
  {
    why: 'texts of the wrong form',
    values: {
      nameOverride: 'Cells',
      celld: { ...bucket, endpoint: 's3.example.com', region: 'us east' },
      credentials: { existingSecret: 'AWS_KEYS' },
      image: { repository: 'celld:0.6.2 ', tag: '0.6.2 ' },
      persistence: { size: '10 GB' },
      probes: { path: 'healthz' },
      server: { host: 'localhost' },
    },
    says: [
      'nameOverride: "Cells" is not a name of lower-case letters, digits and -',
      'image.repository: "celld:0.6.2 " is not an image without its tag, such as ghcr.io/denoland/celld',
      'image.tag: "0.6.2 " is not a tag such as 0.6.2, with an optional @sha256:... behind it',
      'celld.endpoint: "s3.example.com" is not a URL such as https://s3.example.com',
      'celld.region: "us east" is not a region such as us-east-2',
      'persistence.size: "10 GB" is not a size such as 10Gi',
      'credentials.existingSecret: "AWS_KEYS" is not the name of a Secret',
      'probes.path: "healthz" is not a path such as /healthz',
      'server.host: "localhost" is not an IP address such as :: or 0.0.0.0',
      'image.tag: "0.6.2 " does not say which celld release it is: use a release such as 0.6.2, or set probes.path and terminationGracePeriodSeconds to what that image needs',
      'fullnameOverride: required: the name "celld-Cells" cannot be that of a Service, which begins with a letter and has no dots',
    ],
  },
  {
    why: 'a bucket of extraEnv as it does celld.bucket',
    values: { extraEnv: [{ name: 'CELLD_BUCKET', value: 'az://cells' }] },
    says: [
      'azure.accountName: required: an az:// bucket names the container only: set the storage account',
    ],
  },
  {
    why: 'unknown keys at the root',
    values: { celld: bucket, replicas: 3, bucket: 's3://cells' },
    says: ['unknown keys at the root: bucket, replicas; README.md lists those that exist'],
  },
];
