// What a scenario has in its hands: a namespace of its own, the plane, and the words it is written in.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { isObject, type JsonObject, listAt, objectAt, stringAt } from '../../src/core/json.ts';
import { type Cluster, type Reference, referenceOf } from '../control-plane/cluster.ts';
import type { ControlPlane } from '../control-plane/control-plane.ts';
import { prepareNamespace } from '../control-plane/provider-configs.ts';
import type { Kubelet } from '../played/kubelet.ts';
import type { ProviderAws } from '../played/provider-aws.ts';
import { conditionOf, isTrue } from './counts.ts';
import { type Recorder, STACK_KINDS } from './recorder.ts';

export const CLUSTER_NAME = 'target';
const REST_MS = 30_000;
/** After its last change a stack has come to rest when this long nothing happened. */
const QUIET_MS = 5000;
const STACK = { apiVersion: 'hops.ops.com.ai/v1alpha1', kind: 'CelldStack' } as const;

/** One life of one or more stacks. */
export interface Scenario {
  readonly name: string;
  /** What it shows, in one sentence. */
  readonly why: string;
  /** Set when it stops what others need: it then runs while nothing else does. */
  readonly alone?: boolean;
  readonly run: (stage: Stage) => Promise<void>;
}

export interface Played {
  readonly kubelet: Kubelet;
  readonly aws: ProviderAws;
  readonly podIdentity: { readonly pause: (paused: boolean) => void };
}

export interface Stage {
  readonly plane: ControlPlane;
  readonly cluster: Cluster;
  readonly played: Played;
  readonly recorder: Recorder;
  /** The namespace of the XRs; the scenario's own. */
  readonly namespace: string;
  /** A namespace on the target cluster, the scenario's own. */
  readonly target: string;
  /** Applies a stack with this spec; clusterName and namespace are the scenario's. Applied again, it is the whole spec. */
  readonly apply: (name: string, spec: JsonObject) => Promise<void>;
  readonly xr: (name: string) => Promise<JsonObject>;
  readonly at: (apiVersion: string, kind: string, name: string) => Reference;
  readonly release: (name: string) => Reference;
  readonly object: (name: string) => Reference;
  /** Waits until the stack says it is ready, for as long as its last status was about its present spec. */
  readonly untilReady: (name: string, seconds?: number) => Promise<JsonObject>;
  /** Waits until a check gives something other than undefined or false. */
  readonly until: <T>(
    what: string,
    check: () => Promise<T | undefined | false>,
    seconds?: number,
  ) => Promise<T>;
  /** Deletes the stack and waits until nothing of it is left, in either namespace. */
  readonly removeAndSeeNothingLeft: (
    name: string,
    propagation?: 'Background' | 'Foreground',
  ) => Promise<void>;
  /** RunFunction calls for the stacks of this namespace so far. */
  readonly calls: () => number;
  /** Watches the stack for 30 s in which nothing is asked of it; what is written meanwhile is measured. */
  readonly rest: (name: string) => Promise<void>;
  /** How many writes the rest saw; undefined before it. */
  readonly writesAtRest: () => number | undefined;
  /** Composed objects of a stack, by kind and name. */
  readonly composed: (name: string) => Promise<ReadonlyMap<string, JsonObject>>;
  /** The pods of the target namespace, by name. */
  readonly pods: () => Promise<ReadonlyMap<string, JsonObject>>;
}

/** Makes the stage of a scenario: its namespace, and ProviderConfigs that reach this same cluster. */
export async function makeStage(
  plane: ControlPlane,
  played: Played,
  recorder: (namespace: string) => Promise<Recorder>,
  name: string,
): Promise<Stage> {
  const { cluster } = plane.kubernetes;
  const namespace = `e2e-${name}`;
  const target = `${name}-fleet`.slice(0, 63);
  await prepareNamespace(plane.kubernetes, namespace, CLUSTER_NAME);
  const at = (apiVersion: string, kind: string, of: string): Reference => ({
    apiVersion,
    kind,
    name: of,
    namespace,
  });
  const xr = (of: string) => cluster.get(at(STACK.apiVersion, STACK.kind, of));
  const until: Stage['until'] = (what, check, seconds = 90) => waitFor(what, check, seconds);
  const composed: Stage['composed'] = async (of) => {
    const kinds = STACK_KINDS.filter(([, kind]) => kind !== STACK.kind);
    const lists = await Promise.all(kinds.map(([api, kind]) => cluster.list(api, kind, namespace)));
    const owned = lists.flat().filter((object) => isControlledBy(object, of));
    return new Map(owned.map((object) => [keyOf(object), object]));
  };
  const written = await recorder(namespace);
  let writesAtRest: number | undefined;
  const stage: Stage = {
    plane,
    cluster,
    played,
    recorder: written,
    namespace,
    target,
    at,
    xr,
    until,
    composed,
    release: (of) => at('helm.m.crossplane.io/v1beta1', 'Release', of),
    object: (of) => at('kubernetes.m.crossplane.io/v1alpha1', 'Object', of),
    apply: async (of, spec) => {
      await cluster.apply({
        ...STACK,
        metadata: { name: of, namespace },
        spec: { clusterName: CLUSTER_NAME, namespace: target, ...spec },
      });
    },
    untilReady: (of, seconds = 90) =>
      until(
        `CelldStack ${of} is ready`,
        async () => {
          const found = await xr(of);
          const isReady = isTrue(found, 'Ready') && isCurrent(found);
          return isReady && objectAt(found, 'status')['ready'] === true ? found : undefined;
        },
        seconds,
      ),
    removeAndSeeNothingLeft: async (of, propagation) => {
      await cluster.remove(at(STACK.apiVersion, STACK.kind, of), propagation);
      await until(
        `nothing is left of CelldStack ${of}`,
        async () => {
          const left = await composed(of);
          const gone = (await cluster.find(at(STACK.apiVersion, STACK.kind, of))) === undefined;
          return gone && left.size === 0;
        },
        150,
      );
    },
    calls: () => callsFor(plane, namespace),
    rest: async (of) => {
      await until(
        `${of} has come to rest`,
        async () => Date.now() - lastChange(written) > QUIET_MS,
      );
      const before = written.changes().length;
      await sleep(REST_MS);
      const seen = written
        .changes()
        .slice(before)
        .filter((one) => one.xr === of)
        .map((one) => `${one.type} ${one.object}`);
      writesAtRest = (writesAtRest ?? 0) + seen.length;
      assert.deepEqual(seen, [], `${of} was written to at rest`);
    },
    writesAtRest: () => writesAtRest,
    pods: async () => {
      const all = await cluster.list('v1', 'Pod', target);
      return new Map(all.map((pod) => [stringAt(pod, 'metadata', 'name') ?? '', pod]));
    },
  };
  return stage;
}

function lastChange(recorder: Recorder): number {
  return recorder.changes().at(-1)?.at ?? 0;
}

/** True when every condition that says which generation it is about speaks of the present one. */
function isCurrent(object: JsonObject): boolean {
  const generation = objectAt(object, 'metadata')['generation'];
  const synced = conditionOf(object, 'Synced');
  return (
    synced?.['observedGeneration'] === undefined || synced['observedGeneration'] === generation
  );
}

function isControlledBy(object: JsonObject, name: string): boolean {
  return listAt(object, 'metadata', 'ownerReferences').some(
    (owner) => isObject(owner) && owner['kind'] === STACK.kind && owner['name'] === name,
  );
}

/** RunFunction calls for the XRs of a namespace, from the function's own log. */
export function callsFor(plane: ControlPlane, namespace: string): number {
  const marker = `"xr":"${namespace}/`;
  return readFileSync(plane.function.process().log, 'utf8')
    .split('\n')
    .filter((line) => line.includes(marker)).length;
}

/** `Release/celld`. */
export function keyOf(object: JsonObject): string {
  const { kind, name } = referenceOf(object);
  return `${kind}/${name}`;
}

/** Waits until a check gives something; throws with what was waited for and the last error. */
export async function waitFor<T>(
  what: string,
  check: () => Promise<T | undefined | false>,
  seconds: number,
): Promise<T> {
  const deadline = Date.now() + seconds * 1000;
  let last: unknown;
  while (Date.now() < deadline) {
    try {
      const found = await check();
      if (found !== undefined && found !== false) return found;
      last = undefined;
    } catch (error) {
      last = error; // a plane that is being restarted answers with errors for a while
    }
    await sleep(150);
  }
  const because = last === undefined ? '' : `: ${last}`;
  throw new Error(`waited ${seconds} s in vain until ${what}${because}`);
}
