// One pass of Crossplane's reconciler over plain values: an XR and what is observed in, what it would apply out.
import { compareStrings, type Json, type JsonObject, objectAt, stringAt } from '../core/json.ts';
import type { KubeObject } from '../core/kube-object.ts';
import {
  type ComposedObject,
  composedObject,
  controllerOf,
  refuseDuplicates,
} from './composed-object.ts';
import type { Composition } from './composition.ts';
import {
  type ConditionWish,
  conditionsOf,
  DELETING,
  generationOf,
  isReserved,
  PAUSED,
  RESPONSIVE,
  readyCondition,
  reconcileError,
  SYNCED,
  undetermined,
  withConditions,
} from './conditions.ts';
import { type Failure, ReconcileFailure } from './failure.ts';
import type { RunFunction } from './function-call.ts';
import { COMPOSITE_LABEL, nameOf, namespaceOf, resourceNameOf } from './names.ts';
import { type Event, type PipelineOutput, runPipeline } from './pipeline.ts';
import { Ready, type State } from './protocol.ts';
import { poolOf } from './required.ts';

export interface ReconcileInput {
  /** With defaults and a uid. */
  readonly xr: KubeObject;
  readonly composition: Composition;
  readonly functions: (name: string) => RunFunction | undefined;
  /** The composed resources that exist; `checkObserved` has found nothing wrong with them. */
  readonly observed: readonly KubeObject[];
  /** What else functions may ask for. */
  readonly required: readonly KubeObject[];
  readonly schemas: readonly JsonObject[];
  readonly credentials: readonly KubeObject[];
  readonly context: JsonObject;
  /** The time new conditions get. */
  readonly now: string;
}

export interface Reconciled {
  /** What was last written of the XR: after composing, only its identity, its references and its status. */
  readonly xr: KubeObject;
  /** Sorted by key. */
  readonly composed: readonly ComposedObject[];
  /** Observed, no longer desired, and not another's. */
  readonly deleted: readonly KubeObject[];
  readonly events: readonly Event[];
  readonly context: JsonObject;
  /** When functions want to be called again; 0 when none said. */
  readonly ttlSeconds: number;
  /** Set when nothing was composed. */
  readonly failure?: Failure;
}

/** Reconciles an XR once. Pure but for the functions it calls. */
export async function reconcile(input: ReconcileInput): Promise<Reconciled> {
  const { xr } = input;
  if (stringAt(xr, 'metadata', 'annotations', 'crossplane.io/paused') === 'true') {
    const message = 'Reconciliation is paused via the pause annotation';
    const paused: Event = { severity: 'Normal', reason: 'ReconciliationPaused', message };
    return { ...idle(input, [RESPONSIVE, PAUSED]), events: [paused] };
  }
  if (stringAt(xr, 'metadata', 'deletionTimestamp') !== undefined)
    return idle(input, [RESPONSIVE, DELETING, SYNCED]);
  const seen = selected(input);
  const observed = byKey(input.observed);
  const pipeline = await runPipeline({
    ...input,
    xr: seen.xr,
    observed,
    pool: poolOf(
      [seen.xr, ...input.observed, ...input.required, ...input.credentials],
      input.schemas,
    ),
  });
  const events = [...seen.events, ...pipeline.events];
  if (pipeline.failure !== undefined) return failed(input, pipeline, events, pipeline.failure);
  try {
    return applied(input, pipeline, events, observed);
  } catch (error) {
    if (!(error instanceof ReconcileFailure)) throw error;
    return failed(input, pipeline, events, error.failure);
  }
}

/** The XR as functions see it: with its composition chosen and its label set. */
function selected({ xr, composition, now }: ReconcileInput): {
  readonly xr: KubeObject;
  readonly events: readonly Event[];
} {
  const crossplane = objectAt(xr, 'spec', 'crossplane');
  const message = `Successfully selected composition: ${composition.name}`;
  const before = stringAt(crossplane, 'compositionRef', 'name');
  const labels = { ...objectAt(xr, 'metadata', 'labels'), [COMPOSITE_LABEL]: nameOf(xr) };
  return {
    xr: {
      ...xr,
      metadata: { ...xr.metadata, labels },
      spec: {
        ...objectAt(xr, 'spec'),
        crossplane: { ...crossplane, compositionRef: { name: composition.name } },
      },
      status: { ...objectAt(xr, 'status'), conditions: conditionsAfter(xr, [RESPONSIVE], now) },
    },
    events:
      before === composition.name
        ? []
        : [{ severity: 'Normal', reason: 'SelectComposition', message }],
  };
}

function byKey(observed: readonly KubeObject[]): { [key: string]: KubeObject } {
  return Object.fromEntries(
    observed.flatMap((object) => {
      const key = resourceNameOf(object);
      return key === undefined ? [] : [[key, object]];
    }),
  );
}

function applied(
  input: ReconcileInput,
  pipeline: PipelineOutput,
  before: readonly Event[],
  observed: { readonly [key: string]: KubeObject },
): Reconciled {
  const { xr } = input;
  const { desired } = pipeline;
  const events = [...before];
  const composed = Object.entries(desired.resources)
    .sort(([a], [b]) => compareStrings(a, b))
    .map(([key, resource]): ComposedObject => {
      const one = composedObject(key, resource.resource as Json | undefined, xr, observed[key]);
      events.push(...one.events);
      return { key, object: one.object, ready: resource.ready === Ready.READY_TRUE };
    });
  refuseDuplicates(composed);
  const unready = composed.filter(({ ready }) => !ready).map(({ key }) => key);
  const wishes = [
    RESPONSIVE,
    ...pipeline.conditions.filter(({ type }) => !isReserved(type)),
    SYNCED,
    readyCondition(saidReady(desired), unready),
  ];
  return {
    xr: writtenXr(input, desired, composed, wishes),
    composed,
    deleted: input.observed.filter((object) => isForgotten(object, xr, desired)),
    events: [
      ...events,
      ...unready.map((key): Event => {
        const message = `Composed resource ${JSON.stringify(key)} is not yet ready`;
        return { severity: 'Normal', reason: 'ComposeResources', message };
      }),
    ],
    context: pipeline.context,
    ttlSeconds: pipeline.ttlSeconds,
  };
}

function isForgotten(object: KubeObject, xr: KubeObject, desired: State): boolean {
  const controller = controllerOf(object);
  return (
    !Object.hasOwn(desired.resources, resourceNameOf(object) ?? '') &&
    (controller === undefined || controller === stringAt(xr, 'metadata', 'uid'))
  );
}

function saidReady({ composite }: State): boolean | undefined {
  if (composite?.ready === Ready.READY_TRUE) return true;
  return composite?.ready === Ready.READY_FALSE ? false : undefined;
}

/** Only the status of the desired XR is written; a field that is no longer returned goes. */
function writtenXr(
  { xr, now }: ReconcileInput,
  { composite }: State,
  composed: readonly ComposedObject[],
  wishes: readonly ConditionWish[],
): KubeObject {
  const namespace = namespaceOf(xr);
  return {
    apiVersion: xr.apiVersion,
    kind: xr.kind,
    metadata: { name: nameOf(xr), ...(namespace === '' ? {} : { namespace }) },
    spec: { crossplane: { resourceRefs: resourceRefs(composed, namespace !== '') } },
    status: {
      ...objectAt(composite?.resource, 'status'),
      conditions: conditionsAfter(xr, wishes, now),
    },
  };
}

/** Sorted by apiVersion, kind, name and namespace; the namespace shows only for a cluster-scoped XR. */
function resourceRefs(composed: readonly ComposedObject[], namespaced: boolean): readonly Json[] {
  return composed
    .map(({ object }) => ({
      apiVersion: object.apiVersion,
      kind: object.kind,
      name: nameOf(object),
      namespace: namespaceOf(object),
    }))
    .sort((a, b) => compareStrings(Object.values(a).join(''), Object.values(b).join('')))
    .map(({ namespace, ...ref }) => (namespaced || namespace === '' ? ref : { ...ref, namespace }));
}

function conditionsAfter(
  xr: KubeObject,
  wishes: readonly ConditionWish[],
  now: string,
): readonly JsonObject[] {
  return withConditions(conditionsOf(xr), wishes, { now, generation: generationOf(xr) });
}

/** A pass in which no function runs: the whole XR is written back with new conditions. */
function idle(input: ReconcileInput, wishes: readonly ConditionWish[]): Reconciled {
  const { xr, now } = input;
  const conditions = conditionsAfter(xr, wishes, now);
  return {
    xr: { ...xr, status: { ...objectAt(xr, 'status'), conditions } },
    composed: [],
    deleted: [],
    events: [],
    context: input.context,
    ttlSeconds: 0,
  };
}

/**
 * Nothing is applied and nothing is deleted. Ready stays as it was; conditions of functions that
 * were not set in this pass become Unknown.
 */
function failed(
  input: ReconcileInput,
  pipeline: PipelineOutput,
  events: readonly Event[],
  failure: Failure,
): Reconciled {
  const message = `cannot compose resources: ${failure.message}`;
  const set = pipeline.conditions.filter(({ type }) => !isReserved(type));
  const unset = conditionsOf(input.xr)
    .map((condition) => stringAt(condition, 'type') ?? '')
    .filter((type) => !isReserved(type) && !set.some((one) => one.type === type));
  const wishes = [RESPONSIVE, ...set, ...unset.map(undetermined), reconcileError(message)];
  return {
    ...idle(input, wishes),
    context: pipeline.context,
    events: [...events, { severity: 'Warning', reason: 'ComposeResources', message }],
    failure,
  };
}
