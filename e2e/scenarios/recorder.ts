// What happened to the objects of one namespace: each change counted as core's watch circuit breaker counts it.
import { isObject, type JsonObject, listAt, stringAt } from '../../src/core/json.ts';
import type { Cluster } from '../control-plane/cluster.ts';
import type { Change } from './counts.ts';

/** The kinds of a stack and the XR itself. */
export const STACK_KINDS: readonly (readonly [apiVersion: string, kind: string])[] = [
  ['hops.ops.com.ai/v1alpha1', 'CelldStack'],
  ['helm.m.crossplane.io/v1beta1', 'Release'],
  ['kubernetes.m.crossplane.io/v1alpha1', 'Object'],
  ['protection.crossplane.io/v1beta1', 'Usage'],
  ['s3.aws.m.upbound.io/v1beta1', 'Bucket'],
  ['s3.aws.m.upbound.io/v1beta1', 'BucketPublicAccessBlock'],
  ['s3.aws.m.upbound.io/v1beta1', 'BucketServerSideEncryptionConfiguration'],
  ['aws.hops.ops.com.ai/v1alpha1', 'PodIdentity'],
];

export interface Recorder {
  readonly changes: () => readonly Change[];
  readonly stop: () => void;
}

/** Records every change of a stack's kinds in a namespace, from now on. */
export async function record(cluster: Cluster, namespace: string): Promise<Recorder> {
  const changes: Change[] = [];
  const stops = await Promise.all(
    STACK_KINDS.map(([apiVersion, kind]) =>
      cluster.watch(apiVersion, kind, namespace, (type, value) => {
        const object = `${kind}/${stringAt(value, 'metadata', 'name') ?? ''}`;
        changes.push({ at: Date.now(), type, object, xr: xrOf(value, kind), value });
      }),
    ),
  );
  return {
    changes: () => changes,
    stop: () => {
      for (const stop of stops) stop();
    },
  };
}

function xrOf(object: JsonObject, kind: string): string {
  if (kind === 'CelldStack') return stringAt(object, 'metadata', 'name') ?? '';
  const owner = listAt(object, 'metadata', 'ownerReferences')
    .filter(isObject)
    .find((one) => one['controller'] === true);
  return stringAt(owner, 'name') ?? '';
}
