// What a reconcile gives, as the documents the official render prints, in its order.
import { isList, isObject, type Json, type JsonObject, objectAt } from '../core/json.ts';
import type { KubeObject } from '../core/kube-object.ts';
import type { Event } from './pipeline.ts';
import type { Reconciled } from './reconcile.ts';

/** Which documents are wanted beside the XR and the composed resources. */
export interface DocumentOptions {
  /** The XR with all it was given, the results merged over it. */
  readonly fullXr: boolean;
  /** Events, as documents of kind Result. */
  readonly results: boolean;
  /** The context after the last step. */
  readonly context: boolean;
}

/** All conditions get this time, so that two renders are equal. */
export const RENDER_TIME = '2024-01-01T00:00:00Z';

const RENDER_VERSION = 'render.crossplane.io/v1beta1';

/** The documents of a reconcile that succeeded. */
export function renderDocuments(
  xr: KubeObject,
  reconciled: Reconciled,
  options: DocumentOptions,
): readonly JsonObject[] {
  return [
    stable(options.fullXr ? merged(xr, reconciled.xr) : reconciled.xr),
    ...reconciled.composed.map(({ object }) => stable(object)),
    ...(options.results ? reconciled.events.map(resultOf) : []),
    ...(options.context
      ? [{ apiVersion: RENDER_VERSION, kind: 'Context', fields: reconciled.context }]
      : []),
  ];
}

function resultOf({ severity, reason, message }: Event): JsonObject {
  return { apiVersion: RENDER_VERSION, kind: 'Result', severity, reason, message };
}

/** A status without conditions gains `conditions: null`: the official tool prints it so. */
function stable(object: JsonObject): JsonObject {
  const { status } = object;
  if (!isObject(status)) return object;
  const { conditions } = status;
  const timed = isList(conditions)
    ? conditions.map((one) => ({ ...objectAt(one), lastTransitionTime: RENDER_TIME }))
    : null;
  return { ...object, status: { ...status, conditions: timed } };
}

/** Maps are merged, everything else is replaced. */
function merged(under: JsonObject, over: JsonObject): JsonObject {
  const changed = Object.entries(over).map(([key, value]): [string, Json] => {
    const old = under[key];
    return [key, isObject(old) && isObject(value) ? merged(old, value) : value];
  });
  return { ...under, ...Object.fromEntries(changed) };
}
