// When a composed resource is as it should be. Nothing else decides about readiness.
import { type JsonObject, sameJson, stringAt, valueAt } from '../core/json.ts';
import type { KubeObject } from '../core/kube-object.ts';
import type { FleetAnswer } from './fleet.ts';
import { KEYS, type Key } from './keys.ts';
import { isSynced, isTrue } from './observed.ts';

/** AWS objects are Ready as soon as they exist; only Synced says that they are as asked for. */
const READY_AND_SYNCED: readonly Key[] = [
  KEYS.bucket,
  KEYS.publicAccessBlock,
  KEYS.encryption,
  KEYS.podIdentity,
];

/** True when the observed resource is what is desired, and ready. */
export function isReady(
  key: Key,
  desired: KubeObject,
  observed: JsonObject | undefined,
  fleet: FleetAnswer,
): boolean {
  if (observed === undefined) return false;
  if (key === KEYS.release) return isReleaseReady(desired, observed);
  if (key === KEYS.fleet) return fleet.asAsked && isTrue(observed, 'Ready');
  if (!isTrue(observed, 'Ready')) return false;
  if (READY_AND_SYNCED.includes(key) && !isSynced(observed)) return false;
  return key !== KEYS.podIdentity || isIdentityBound(observed);
}

/**
 * A Release is ready when Helm has deployed what is desired. Its own Ready condition is False for
 * minutes after each upgrade, until provider-helm looks again, and says nothing more.
 */
export function isReleaseReady(desired: KubeObject, observed: JsonObject): boolean {
  return isDeployed(observed) && isSynced(observed) && installsTheSame(desired, observed);
}

/** True when Helm's own state of the release is deployed. */
export function isDeployed(release: JsonObject | undefined): boolean {
  return stringAt(release, 'status', 'atProvider', 'state') === 'deployed';
}

/** True when the Release in the cluster asks for the chart and the values that are desired now. */
function installsTheSame(desired: KubeObject, observed: JsonObject): boolean {
  const part = (release: JsonObject, ...path: readonly string[]) =>
    valueAt(release, 'spec', 'forProvider', ...path);
  const source = ['url', 'repository', 'version', 'digest'];
  return (
    sameJson(part(desired, 'values') ?? {}, part(observed, 'values') ?? {}) &&
    sameJson(part(desired, 'set') ?? [], part(observed, 'set') ?? []) &&
    source.every((field) => {
      const wanted = part(desired, 'chart', field);
      return wanted === undefined || wanted === part(observed, 'chart', field);
    })
  );
}

/** True when pods that start now get the role: both sides exist, and the ARN is one. */
export function isIdentityBound(podIdentity: JsonObject | undefined): boolean {
  return (
    roleArnOf(podIdentity) !== undefined &&
    valueAt(podIdentity, 'status', 'podIdentity', 'association', 'ready') === true
  );
}

/** The ARN of the role. PodIdentity writes `Pending` before there is one. */
export function roleArnOf(podIdentity: JsonObject | undefined): string | undefined {
  const arn = stringAt(podIdentity, 'status', 'podIdentity', 'role', 'arn');
  return arn?.startsWith('arn:') ? arn : undefined;
}
