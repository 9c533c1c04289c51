// Plays scheduler and kubelets: pods become Ready after a while, or are held back; nothing runs.
import { isObject, type JsonObject, listAt, stringAt } from '../../src/core/json.ts';
import { type Cluster, referenceOf } from '../control-plane/cluster.ts';
import { condition, forEach, type Loop, startLoop } from './loop.ts';

export interface Kubelet extends Loop {
  /** Pods of this namespace that the predicate picks stay unready; a pod that is Ready becomes unready. */
  readonly hold: (namespace: string, picks: (pod: JsonObject) => boolean) => void;
  /** Lets all pods of the namespace become Ready again. */
  readonly release: (namespace: string) => void;
}

const READY_AFTER_MS = 400;

/** Starts the kubelet of the whole cluster. */
export function startKubelet(cluster: Cluster, log: string): Kubelet {
  const held = new Map<string, (pod: JsonObject) => boolean>();
  const loop = startLoop(log, async () => {
    const pods = await cluster.list('v1', 'Pod');
    await forEach(log, pods, async (pod) => {
      const picks = held.get(stringAt(pod, 'metadata', 'namespace') ?? '');
      const status = nextStatus(pod, picks?.(pod) ?? false);
      if (status !== undefined) await cluster.merge(referenceOf(pod), { status }, 'status');
    });
  });
  return {
    ...loop,
    hold: (namespace, picks) => void held.set(namespace, picks),
    release: (namespace) => void held.delete(namespace),
  };
}

function nextStatus(pod: JsonObject, isHeld: boolean): JsonObject | undefined {
  const phase = stringAt(pod, 'status', 'phase');
  if (phase === 'Succeeded' || stringAt(pod, 'metadata', 'deletionTimestamp') !== undefined) return;
  const isReady = listAt(pod, 'status', 'conditions').some(
    (one) => stringAt(one, 'type') === 'Ready' && stringAt(one, 'status') === 'True',
  );
  const age = Date.now() - Date.parse(stringAt(pod, 'metadata', 'creationTimestamp') ?? '');
  // Creation times have whole seconds, so a pod may look a second older than it is.
  if (age < READY_AFTER_MS) return;
  if (isHeld) return isReady || phase === 'Pending' ? statusOf(pod, false) : undefined;
  if (isReady) return;
  return stringAt(pod, 'spec', 'restartPolicy') === 'Never' ? done(pod) : statusOf(pod, true);
}

function statusOf(pod: JsonObject, ready: boolean): JsonObject {
  const startedAt = `${new Date().toISOString().slice(0, 19)}Z`;
  const readiness = ready ? 'True' : 'False';
  const reason = ready ? 'Ready' : 'ContainersNotReady';
  return {
    phase: 'Running',
    podIP: '10.1.0.1',
    startTime: startedAt,
    conditions: [
      condition('PodScheduled', 'True', 'Scheduled'),
      condition('Initialized', 'True', 'Initialized'),
      condition('ContainersReady', readiness, reason),
      condition('Ready', readiness, reason),
    ],
    initContainerStatuses: containers(pod, 'initContainers').map((one) => ({
      ...one,
      ready: true,
      started: false,
      state: { terminated: { exitCode: 0, reason: 'Completed', startedAt, finishedAt: startedAt } },
    })),
    containerStatuses: containers(pod, 'containers').map((one) => ({
      ...one,
      ready,
      started: true,
      state: { running: { startedAt } },
    })),
  };
}

function done(pod: JsonObject): JsonObject {
  return { ...statusOf(pod, false), phase: 'Succeeded' };
}

function containers(pod: JsonObject, field: string): JsonObject[] {
  return listAt(pod, 'spec', field)
    .filter(isObject)
    .map((one) => ({
      name: one['name'] ?? '',
      image: one['image'] ?? '',
      imageID: one['image'] ?? '',
      restartCount: 0,
    }));
}
