// Plays the older stack's function: what its templates make of an XR, so that stacks exist which ours takes over.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type handleUnaryCall, Server, ServerCredentials } from '@grpc/grpc-js';
import type { Composed, DesiredResource, Observation } from '../../src/compose/composed.ts';
import { type JsonObject, stringAt, valueAt } from '../../src/core/json.ts';
import { isKubeObject } from '../../src/core/kube-object.ts';
import {
  FunctionRunnerServiceService,
  type RunFunctionRequest,
  type RunFunctionResponse,
} from '../../src/crossplane/protocol.ts';
import { handler } from '../../src/server/handler.ts';
import type { Cluster } from '../control-plane/cluster.ts';
import { registerFunction } from '../control-plane/crossplane.ts';
import { freePort } from '../control-plane/ports.ts';
import { isTrue } from '../scenarios/counts.ts';

export const OLDER_COMPOSITION = 'older-celldstacks';

/** Installs the older stack's Composition beside ours and serves its function. Gives its end. */
export async function installOlderStack(
  cluster: Cluster,
  certificates: string,
): Promise<() => void> {
  await cluster.apply({
    apiVersion: 'apiextensions.crossplane.io/v1',
    kind: 'Composition',
    metadata: { name: OLDER_COMPOSITION },
    spec: {
      compositeTypeRef: { apiVersion: 'hops.ops.com.ai/v1alpha1', kind: 'CelldStack' },
      mode: 'Pipeline',
      pipeline: [{ step: 'render', functionRef: { name: 'older-celld-stack-render' } }],
    },
  });
  const { address, stop } = await serve(certificates);
  await registerFunction(cluster, OLDER_COMPOSITION, address);
  return stop;
}

/** Serves the function with the certificates of a folder. */
async function serve(certificates: string): Promise<{ address: string; stop: () => void }> {
  const read = (name: string) => readFileSync(join(certificates, name));
  const server = new Server();
  const run = handler(olderStack);
  const runFunction: handleUnaryCall<RunFunctionRequest, RunFunctionResponse> = (call, callback) =>
    callback(null, run(call.request));
  server.addService(FunctionRunnerServiceService, { runFunction });
  const credentials = ServerCredentials.createSsl(
    read('ca.crt'),
    [{ cert_chain: read('tls.crt'), private_key: read('tls.key') }],
    true,
  );
  const address = `127.0.0.1:${await freePort()}`;
  await new Promise<void>((resolve, reject) => {
    server.bindAsync(address, credentials, (error) => (error === null ? resolve() : reject(error)));
  });
  return { address, stop: () => server.forceShutdown() };
}

function olderStack({ xr, resources }: Observation): Composed {
  const name = stringAt(xr, 'metadata', 'name') ?? '';
  const spec = (...path: string[]) => valueAt(xr, 'spec', ...path);
  const isReady = (key: string) => isTrue(resources[key], 'Ready');
  const usesAws = spec('aws', 'enabled') === true;
  const bucketId = stringAt(resources['s3-bucket'], 'status', 'atProvider', 'id');
  const wanted: { [key: string]: JsonObject } = {
    namespace: namespaceObject(name, String(spec('namespace')), String(spec('clusterName'))),
    ...(usesAws ? awsResources(name, xr) : {}),
    // The gate is not sticky: without the bucket's id the Release is not returned, and is uninstalled.
    ...(usesAws && bucketId === undefined
      ? {}
      : { 'helm-release-celld': release(name, xr, bucketId) }),
    ...(isReady('namespace') && isReady('helm-release-celld')
      ? { 'usage-celld-namespace': usage(name, 'namespace', OBJECT, `${name}-namespace`) }
      : {}),
    ...(usesAws && isReady('pod-identity') && isReady('helm-release-celld')
      ? {
          'usage-helm-celld-pod-identity': usage(
            name,
            'pod-identity',
            { apiVersion: 'aws.hops.ops.com.ai/v1alpha1', kind: 'PodIdentity' },
            `${name}-celld`,
          ),
        }
      : {}),
  };
  return {
    resources: Object.fromEntries(
      Object.entries(wanted).map(([key, object]) => [key, desired(object, isReady(key))]),
    ),
    status: {},
    conditions: [],
    notices: [],
    requirements: {},
    complete: true,
  };
}

const OBJECT = { apiVersion: 'kubernetes.m.crossplane.io/v1alpha1', kind: 'Object' };

function desired(object: JsonObject, ready: boolean): DesiredResource {
  if (!isKubeObject(object)) throw new Error('not a Kubernetes object');
  return { object, ready };
}

function providerConfigRef(name: string): JsonObject {
  return { name, kind: 'ProviderConfig' };
}

function namespaceObject(name: string, namespace: string, clusterName: string): JsonObject {
  return {
    ...OBJECT,
    metadata: { name: `${name}-namespace` },
    spec: {
      providerConfigRef: providerConfigRef(clusterName),
      forProvider: {
        manifest: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
      },
    },
  };
}

function release(name: string, xr: JsonObject, bucketId: string | undefined): JsonObject {
  const bucket = bucketId === undefined ? stringAt(xr, 'spec', 'bucket') : `s3://${bucketId}`;
  return {
    apiVersion: 'helm.m.crossplane.io/v1beta1',
    kind: 'Release',
    metadata: { name, annotations: { 'crossplane.io/external-name': name } },
    spec: {
      providerConfigRef: providerConfigRef(stringAt(xr, 'spec', 'clusterName') ?? ''),
      rollbackLimit: 3,
      forProvider: {
        namespace: stringAt(xr, 'spec', 'namespace') ?? '',
        chart: {
          name: 'celld',
          repository: 'https://hops-ops.github.io/celld-chart',
          version: '0.3.1',
        },
        values: {
          replicaCount: valueAt(xr, 'spec', 'replicaCount') ?? 1,
          image: { tag: valueAt(xr, 'spec', 'image', 'tag') ?? 'v0.3.0' },
          ...(bucket === undefined ? {} : { celld: { bucket } }),
          bootstrapPlaceholder: bucketId !== undefined,
        },
      },
    },
  };
}

function awsResources(name: string, xr: JsonObject): { [key: string]: JsonObject } {
  const region = stringAt(xr, 'spec', 'aws', 'region') ?? '';
  const clusterName = stringAt(xr, 'spec', 'clusterName') ?? '';
  const bucket = stringAt(xr, 'spec', 'aws', 'bucketName') ?? `hops-celld-${name}`;
  const managed = (kind: string, suffix: string, forProvider: JsonObject, annotations = {}) => ({
    apiVersion: 's3.aws.m.upbound.io/v1beta1',
    kind,
    metadata: { name: `${name}-${suffix}`, annotations },
    spec: {
      providerConfigRef: providerConfigRef(clusterName),
      forProvider: { region, ...forProvider },
    },
  });
  const bucketRef = { name: `${name}-s3` };
  const rule = [{ applyServerSideEncryptionByDefault: { sseAlgorithm: 'AES256' } }];
  return {
    's3-bucket': managed(
      'Bucket',
      's3',
      { forceDestroy: true },
      { 'crossplane.io/external-name': bucket },
    ),
    's3-bucket-pab': managed('BucketPublicAccessBlock', 's3-pab', {
      bucketRef,
      blockPublicAcls: true,
      blockPublicPolicy: true,
      ignorePublicAcls: true,
      restrictPublicBuckets: true,
    }),
    's3-bucket-encryption': managed('BucketServerSideEncryptionConfiguration', 's3-encryption', {
      bucketRef,
      rule,
    }),
    'pod-identity': {
      apiVersion: 'aws.hops.ops.com.ai/v1alpha1',
      kind: 'PodIdentity',
      metadata: { name: `${name}-celld` },
      spec: {
        region,
        clusterName,
        managementPolicies: ['*'],
        serviceAccount: {
          name: name.includes('celld') ? name : `${name}-celld`,
          namespace: stringAt(xr, 'spec', 'namespace') ?? '',
        },
      },
    },
  };
}

function usage(name: string, what: string, of: JsonObject, ofName: string): JsonObject {
  return {
    apiVersion: 'protection.crossplane.io/v1beta1',
    kind: 'Usage',
    metadata: { name: `${name}-delete-helm-celld-before-${what}` },
    spec: {
      replayDeletion: true,
      of: { ...of, resourceRef: { name: ofName } },
      by: {
        apiVersion: 'helm.m.crossplane.io/v1beta1',
        kind: 'Release',
        resourceRef: { name },
      },
    },
  };
}
