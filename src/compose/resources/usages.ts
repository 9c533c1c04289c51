// What must not go before the Helm release is gone.
import { type JsonObject, stringAt } from '../../core/json.ts';
import type { KubeObject } from '../../core/kube-object.ts';
import { KEYS, type Key } from '../keys.ts';
import type { Plan } from '../plan.ts';
import { bucket } from './bucket.ts';
import { credentials } from './credentials.ts';
import { metadata } from './metadata.ts';
import { namespace } from './namespace.ts';
import { podIdentity } from './pod-identity.ts';
import { release } from './release.ts';

export interface Protection {
  readonly key: Key;
  /** The key of what is protected, and how it looks when we make it. */
  readonly of: Key;
  readonly build: (plan: Plan) => KubeObject;
  /** How the Usage's name ends. */
  readonly ending: string;
}

/** Every Usage there can be. Each is `by` the Release. */
export const PROTECTIONS: readonly Protection[] = [
  { key: KEYS.namespaceUsage, of: KEYS.namespace, build: namespace, ending: 'namespace' },
  { key: KEYS.podIdentityUsage, of: KEYS.podIdentity, build: podIdentity, ending: 'pod-identity' },
  { key: KEYS.bucketUsage, of: KEYS.bucket, build: bucket, ending: 's3-bucket' },
  { key: KEYS.credentialsUsage, of: KEYS.credentials, build: credentials, ending: 'aws-creds' },
];

/**
 * The Usage of a protected resource by the Release. Kubernetes deletes the children of an XR all at once;
 * with the Usage, the protected one waits until Helm has uninstalled, and is then deleted again. Both are
 * named as they were observed: a resource keeps the name it was made with.
 */
export function usage(
  plan: Plan,
  protection: Protection,
  observed: { readonly [key: string]: JsonObject },
): KubeObject {
  const self = observed[protection.key];
  return {
    apiVersion: 'protection.crossplane.io/v1beta1',
    kind: 'Usage',
    metadata: metadata(plan, `${plan.name}-delete-helm-celld-before-${protection.ending}`),
    spec: {
      replayDeletion: true,
      of: reference(protection.build(plan), observed[protection.of], self, 'of'),
      by: reference(release(plan), observed[KEYS.release], self, 'by'),
    },
  };
}

function reference(
  made: KubeObject,
  observed: JsonObject | undefined,
  usage: JsonObject | undefined,
  side: 'of' | 'by',
): JsonObject {
  const name =
    stringAt(observed, 'metadata', 'name') ??
    stringAt(usage, 'spec', side, 'resourceRef', 'name') ??
    stringAt(made, 'metadata', 'name') ??
    '';
  return { apiVersion: made.apiVersion, kind: made.kind, resourceRef: { name } };
}
