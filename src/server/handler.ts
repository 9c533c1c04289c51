// One RunFunction call: Crossplane's request in, compose's decision out as a response that is built afresh.
// The request is never changed, and no error path desires less than the request did: what a function
// stops returning, Crossplane deletes.
import type { Composed, Notice, Observation } from '../compose/composed.ts';
import { isObject, type JsonObject, stringAt } from '../core/json.ts';
import { messageOf, oneLine } from '../core/problem.ts';
import type {
  Resource,
  Result,
  RunFunctionRequest,
  RunFunctionResponse,
  State,
} from '../crossplane/protocol.ts';
import { assertJson } from './assert-json.ts';
import { READY, SEVERITY, STATUS, TARGET_COMPOSITE } from './wire/enumerations.ts';

/** Answers one request; never throws and never changes the request. */
export type Handler = (request: RunFunctionRequest) => RunFunctionResponse;

/**
 * How long Crossplane may go without asking again. With realtime compositions, which are on by
 * default, every change of the XR and of its composed resources wakes the function at once; only the
 * Releases of other stacks, which it merely reads, are not watched. Ten minutes bounds how late a
 * conflict with one of them is seen, and costs a fleet of thousands of idle stacks next to nothing.
 */
export const TTL_SECONDS = 600;

/**
 * Makes the handler of a compose function. A request without an XR is answered with a fatal result,
 * and so is anything `compose` throws, which is a defect and also handed to `onDefect`.
 */
export function handler(
  compose: (observation: Observation) => Composed,
  onDefect: (error: unknown) => void = () => undefined,
): Handler {
  return (request) => {
    try {
      const missing = missingFromXr(request.observed?.composite?.resource);
      if (missing !== undefined) {
        const message = `cannot compose the stack: the request has no ${missing}: expected the observed composite resource`;
        return unchanged(request, [{ severity: 'fatal', reason: 'NoCompositeResource', message }]);
      }
      return answer(request, compose(observationOf(request)));
    } catch (error) {
      onDefect(error);
      const message = `this is a defect of celld-stack and nothing was changed: ${oneLine(messageOf(error))}`;
      return unchanged(request, [{ severity: 'fatal', reason: 'Defect', message }]);
    }
  };
}

/** The first thing an XR cannot be without, when it is not there. */
function missingFromXr(xr: unknown): string | undefined {
  if (!isObject(xr)) return 'observed.composite.resource';
  const paths = [['apiVersion'], ['kind'], ['metadata', 'name']];
  const absent = paths.find((path) => stringAt(xr, ...path) === undefined);
  return absent === undefined ? undefined : `observed.composite.resource.${absent.join('.')}`;
}

function observationOf(request: RunFunctionRequest): Observation {
  const objectOf = (resource: Resource): JsonObject => resource.resource ?? {};
  // Crossplane fills both with the same; before v1.20 it knew the older name alone.
  const required = { ...request.extraResources, ...request.requiredResources };
  return {
    xr: request.observed?.composite?.resource ?? {},
    resources: mapValues(request.observed?.resources ?? {}, objectOf),
    required: mapValues(required, ({ items }) => items.map(objectOf)),
  };
}

function answer(request: RunFunctionRequest, composed: Composed): RunFunctionResponse {
  const [fatal, ...others] = composed.notices.filter(({ severity }) => severity === 'fatal');
  if (fatal !== undefined) {
    // Crossplane stops at the first fatal result, so one of them has to say everything.
    const message = [fatal, ...others].map((notice) => notice.message).join('; ');
    return { ...unchanged(request, [{ ...fatal, message }]), conditions: conditionsOf(composed) };
  }
  assertJson(composed.status, 'status');
  const ours = mapValues(composed.resources, ({ object, ready }, key): Resource => {
    assertJson(object, `resources.${key}`);
    return {
      resource: object,
      connectionDetails: {},
      ready: ready ? READY.yes : READY.no,
    };
  });
  return {
    ...unchanged(request, composed.notices),
    desired: {
      composite: desiredComposite(request, composed),
      // Other steps' resources stay; ours are whole: merging would keep fields that are no longer wanted.
      resources: { ...request.desired?.resources, ...ours },
    },
    conditions: conditionsOf(composed),
    requirements: requirementsOf(composed),
  };
}

function desiredComposite(request: RunFunctionRequest, composed: Composed): Resource {
  const earlier = request.desired?.composite;
  const xr = request.observed?.composite?.resource ?? {};
  const before: JsonObject = earlier?.resource ?? {};
  const status = isObject(before['status']) ? before['status'] : {};
  return {
    resource: {
      ...before,
      apiVersion: xr['apiVersion'],
      kind: xr['kind'],
      status: { ...status, ...composed.status },
    },
    connectionDetails: earlier?.connectionDetails ?? {},
    // Unspecified leaves it to Crossplane: the XR is ready when all composed resources are.
    ready: composed.complete ? (earlier?.ready ?? READY.unspecified) : READY.no,
  };
}

/** A response that desires what the request did, with the given results. */
function unchanged(request: RunFunctionRequest, notices: readonly Notice[]): RunFunctionResponse {
  return {
    meta: { tag: request.meta?.tag ?? '', ttl: { seconds: TTL_SECONDS, nanos: 0 } },
    desired: copyOf(request.desired),
    results: notices.map(resultOf),
    conditions: [],
    context: request.context,
    requirements: undefined,
  };
}

function copyOf(state: State | undefined): State | undefined {
  return state === undefined
    ? undefined
    : { composite: state.composite, resources: { ...state.resources } };
}

function resultOf({ severity, reason, message }: Notice): Result {
  return { severity: SEVERITY[severity], reason, message, target: TARGET_COMPOSITE };
}

function conditionsOf(composed: Composed): RunFunctionResponse['conditions'] {
  return composed.conditions.map(({ type, status, reason, message }) => ({
    type,
    status: STATUS[status],
    reason,
    message,
    target: TARGET_COMPOSITE,
  }));
}

/** Absent when nothing is required: an empty message costs Crossplane up to v2.3 one more call. */
function requirementsOf(composed: Composed): RunFunctionResponse['requirements'] {
  if (Object.keys(composed.requirements).length === 0) return undefined;
  const resources = mapValues(composed.requirements, ({ apiVersion, kind, matchLabels }) => ({
    apiVersion,
    kind,
    matchLabels: { labels: { ...matchLabels } },
  }));
  return { resources, extraResources: {}, schemas: {} };
}

/** Like `map`, over the values of an object. Safe for keys such as `__proto__`, which stay plain keys. */
function mapValues<A, B>(
  values: { readonly [key: string]: A },
  change: (value: A, key: string) => B,
): { [key: string]: B } {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [key, change(value, key)]),
  );
}
