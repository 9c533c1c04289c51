// Plays the PodIdentity package: the status that its Composition writes, step by step.
import { type JsonObject, listAt, objectAt, stringAt } from '../../src/core/json.ts';
import { type Cluster, referenceOf } from '../control-plane/cluster.ts';
import { condition, forEach, type Loop, startLoop, withConditions } from './loop.ts';

const FINALIZER = 'composite.apiextensions.crossplane.io';
/** How long IAM takes for the role, EKS for the association, and both for going. */
const ROLE_MS = 800;
const ASSOCIATION_MS = 1600;
const GONE_MS = 800;
const ACCOUNT = '123456789012';

/** Starts the controller of all PodIdentities. */
export function startPodIdentities(cluster: Cluster, log: string): Loop {
  const since = new Map<string, number>();
  const age = (key: string) => {
    const first = since.get(key) ?? Date.now();
    since.set(key, first);
    return Date.now() - first;
  };
  return startLoop(log, async () => {
    const all = await cluster.list('aws.hops.ops.com.ai/v1alpha1', 'PodIdentity');
    await forEach(log, all, async (object) => {
      const uid = stringAt(object, 'metadata', 'uid') ?? '';
      const deleted = stringAt(object, 'metadata', 'deletionTimestamp') !== undefined;
      if (deleted) await leave(cluster, object, age(`${uid} deleted`));
      else await arrive(cluster, object, age(uid));
    });
  });
}

async function arrive(cluster: Cluster, object: JsonObject, ageMs: number): Promise<void> {
  const at = referenceOf(object);
  const finalizers = listAt(object, 'metadata', 'finalizers');
  if (!finalizers.includes(FINALIZER)) {
    await cluster.merge(at, { metadata: { finalizers: [...finalizers, FINALIZER] } });
    return;
  }
  const [hasRole, isAssociated] = [ageMs > ROLE_MS, ageMs > ASSOCIATION_MS];
  const podIdentity = statusOf(object, hasRole, isAssociated);
  const shown = objectAt(object, 'status', 'podIdentity');
  const conditions = withConditions(object, [
    condition('Synced', 'True', 'ReconcileSuccess'),
    isAssociated
      ? condition('Ready', 'True', 'Available')
      : condition('Ready', 'False', 'Creating', 'Unready resources: pod-identity-association'),
  ]);
  const isShown =
    JSON.stringify(shown) === JSON.stringify(podIdentity) &&
    JSON.stringify(listAt(object, 'status', 'conditions')) === JSON.stringify(conditions);
  if (!isShown) await cluster.merge(at, { status: { podIdentity, conditions } }, 'status');
}

function statusOf(object: JsonObject, hasRole: boolean, isAssociated: boolean): JsonObject {
  const name = stringAt(object, 'metadata', 'name') ?? '';
  const clusterName = stringAt(object, 'spec', 'clusterName') ?? '';
  const role = `${stringAt(object, 'spec', 'rolePrefix') ?? ''}${clusterName}-${name}`;
  const arn = hasRole ? `arn:aws:iam::${ACCOUNT}:role/${role}` : 'Pending';
  // Keys in the order in which the API server gives them back.
  return {
    association: {
      create: true,
      id: isAssociated ? 'a-0123456789abcdef0' : '',
      name,
      ready: isAssociated,
      roleArn: arn,
    },
    clusterName,
    region: stringAt(object, 'spec', 'region') ?? '',
    role: { arn, name: role, ready: hasRole },
    serviceAccount: {
      name: stringAt(object, 'spec', 'serviceAccount', 'name') ?? '',
      namespace: stringAt(object, 'spec', 'serviceAccount', 'namespace') ?? '',
    },
  };
}

async function leave(cluster: Cluster, object: JsonObject, ageMs: number): Promise<void> {
  const finalizers = listAt(object, 'metadata', 'finalizers').filter((one) => one !== FINALIZER);
  if (ageMs > GONE_MS) await cluster.merge(referenceOf(object), { metadata: { finalizers } });
}
