// The conditions of an XR: who may set which, where each stands in the list, what the built-in ones say.
import { type JsonObject, listAt, numberAt, sameJson, stringAt } from '../core/json.ts';
import type { KubeObject } from '../core/kube-object.ts';

/** A condition before it has a time. */
export interface ConditionWish {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason: string;
  readonly message?: string;
}

/** Types that belong to Crossplane: a function cannot set them. */
const RESERVED = ['Ready', 'Synced', 'Healthy', 'UpToDate', 'Responsive'];

/** True for a condition type that only Crossplane itself sets. */
export function isReserved(type: string): boolean {
  return RESERVED.includes(type);
}

/**
 * The conditions after some were set: one that was there keeps its place, a new one is appended, and
 * one that says the same as before keeps its time.
 */
export function withConditions(
  before: readonly JsonObject[],
  wishes: readonly ConditionWish[],
  stamp: { readonly now: string; readonly generation: number | undefined },
): readonly JsonObject[] {
  const list = [...before];
  for (const { type, status, reason, message } of wishes) {
    const condition: JsonObject = {
      type,
      status,
      reason,
      lastTransitionTime: stamp.now,
      ...(message === undefined || message === '' ? {} : { message }),
      ...(stamp.generation === undefined ? {} : { observedGeneration: stamp.generation }),
    };
    const index = list.findIndex((one) => one['type'] === type);
    const old = list[index];
    if (old === undefined) list.push(condition);
    else if (!saysTheSame(old, condition)) list[index] = condition;
  }
  return list;
}

function saysTheSame(a: JsonObject, b: JsonObject): boolean {
  return sameJson({ ...a, lastTransitionTime: '' }, { ...b, lastTransitionTime: '' });
}

/** The conditions an object has; entries that are none are passed over. */
export function conditionsOf(object: KubeObject): readonly JsonObject[] {
  return listAt(object, 'status', 'conditions').filter(
    (one): one is JsonObject => stringAt(one, 'type') !== undefined,
  );
}

/** The generation conditions refer to; absent in a render, where nothing has a generation. */
export function generationOf(xr: KubeObject): number | undefined {
  const generation = numberAt(xr, 'metadata', 'generation');
  return generation === 0 ? undefined : generation;
}

/** The watches of this XR are not throttled. */
export const RESPONSIVE: ConditionWish = {
  type: 'Responsive',
  status: 'True',
  reason: 'WatchCircuitClosed',
};

/** The XR was reconciled. */
export const SYNCED: ConditionWish = { type: 'Synced', status: 'True', reason: 'ReconcileSuccess' };

/** Reconciling is switched off by annotation. */
export const PAUSED: ConditionWish = {
  type: 'Synced',
  status: 'False',
  reason: 'ReconcilePaused',
  message: 'Reconciliation (including deletion) is paused via the pause annotation',
};

/** The XR is being deleted. */
export const DELETING: ConditionWish = { type: 'Ready', status: 'False', reason: 'Deleting' };

/** Composing failed with this message. */
export function reconcileError(message: string): ConditionWish {
  return { type: 'Synced', status: 'False', reason: 'ReconcileError', message };
}

/** What a custom condition becomes when a pipeline failed before it was set. */
export function undetermined(type: string): ConditionWish {
  return {
    type,
    status: 'Unknown',
    reason: 'FatalError',
    message: 'A fatal error occurred before the status of this condition could be determined.',
  };
}

/** Ready: as the function says, else when every composed resource is ready. */
export function readyCondition(
  said: boolean | undefined,
  unready: readonly string[],
): ConditionWish {
  if (said ?? unready.length === 0) return { type: 'Ready', status: 'True', reason: 'Available' };
  const creating = { type: 'Ready', status: 'False', reason: 'Creating' } as const;
  if (said === false) return creating;
  return { ...creating, message: `Unready resources: ${firstThree(unready)}` };
}

/** Crossplane's own list form: three names, then how many more. The names come sorted. */
function firstThree(names: readonly string[]): string {
  if (names.length < 3) return names.join(', ');
  const [a, b, c] = names;
  return names.length === 3
    ? `${a}, ${b}, and ${c}`
    : `${a}, ${b}, ${c}, and ${names.length - 3} more`;
}
