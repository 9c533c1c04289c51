// Which composed resources shall exist.
import { type JsonObject, stringAt } from '../core/json.ts';
import type { KubeObject } from '../core/kube-object.ts';
import { KEYS, type Key } from './keys.ts';
import type { Plan } from './plan.ts';
import { isDeployed, isIdentityBound } from './readiness.ts';
import { bucket, encryption, publicAccessBlock } from './resources/bucket.ts';
import { credentials } from './resources/credentials.ts';
import { fleet } from './resources/fleet.ts';
import { namespace } from './resources/namespace.ts';
import { podIdentity } from './resources/pod-identity.ts';
import { release } from './resources/release.ts';
import { PROTECTIONS, usage } from './resources/usages.ts';

export interface Desired {
  readonly objects: ReadonlyMap<Key, KubeObject>;
  /** Keys that are wanted and wait behind a gate. */
  readonly waiting: readonly Key[];
  /** Usages that exist and protect nothing any more. Kept, and asked nothing of. */
  readonly idle: readonly Key[];
}

type Observed = { readonly [key: string]: JsonObject };

/**
 * The composed resources in a fixed order. Gates hold back only what does not exist yet: Crossplane
 * deletes what a function stops returning, so whatever is observed is returned, come what may.
 */
export function desiredResources(plan: Plan, observed: Observed): Desired {
  const objects = new Map<Key, KubeObject>();
  const waiting: Key[] = [];
  const add = (key: Key, object: KubeObject, open = true) => {
    if (open || observed[key] !== undefined) objects.set(key, object);
    else waiting.push(key);
  };
  if (plan.wanted.namespace) add(KEYS.namespace, namespace(plan));
  if (plan.wanted.bucket) add(KEYS.bucket, bucket(plan));
  if (plan.wanted.publicAccessBlock) add(KEYS.publicAccessBlock, publicAccessBlock(plan));
  if (plan.wanted.encryption) add(KEYS.encryption, encryption(plan));
  if (plan.wanted.podIdentity) add(KEYS.podIdentity, podIdentity(plan));
  if (plan.wanted.credentials) add(KEYS.credentials, credentials(plan));
  add(KEYS.release, release(plan), releaseGates(plan, observed).length === 0);
  add(KEYS.fleet, fleet(plan), isDeployed(observed[KEYS.release]));
  for (const protection of PROTECTIONS) {
    if (!objects.has(protection.of) && observed[protection.key] === undefined) continue;
    const both = observed[protection.of] !== undefined && observed[KEYS.release] !== undefined;
    add(protection.key, usage(plan, protection, observed), both);
  }
  const idle = PROTECTIONS.filter(({ key, of }) => objects.has(key) && !objects.has(of));
  return { objects, waiting, idle: idle.map(({ key }) => key) };
}

/** What the first install waits for, as sentences; empty when nothing is in its way. */
export function releaseGates(plan: Plan, observed: Observed): readonly string[] {
  const gates: string[] = [];
  if (plan.storage.kind === 'aws' && bucketIdOf(observed[KEYS.bucket]) === undefined) {
    gates.push(`Bucket ${plan.name}-s3 exists in AWS`);
  }
  // EKS gives credentials only to pods that are created after the association.
  if (plan.identity.kind === 'pod-identity' && !isIdentityBound(observed[KEYS.podIdentity])) {
    gates.push(`PodIdentity ${plan.name}-celld is bound`);
  }
  if (
    plan.identity.kind === 'secret-copy' &&
    stringAt(observed[KEYS.credentials], 'metadata', 'uid') === undefined
  ) {
    gates.push(`Object ${plan.name}-aws-creds exists`);
  }
  return gates;
}

/** The bucket's ID, which it has once it exists in AWS. */
export function bucketIdOf(observed: JsonObject | undefined): string | undefined {
  return stringAt(observed, 'status', 'atProvider', 'id');
}
