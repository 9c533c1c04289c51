// The smallest inputs of a render, so that a test shows only what it is about.
import type { JsonObject } from '../../src/core/json.ts';
import type { KubeObject } from '../../src/core/kube-object.ts';
import { ProblemError } from '../../src/core/problem.ts';
import type { Composition, Step } from '../../src/crossplane/composition.ts';
import type { RunFunction } from '../../src/crossplane/function-call.ts';
import { RunFunctionRequest, RunFunctionResponse } from '../../src/crossplane/protocol.ts';
import type { RenderInput } from '../../src/crossplane/render.ts';
import { cannedFunction } from './canned-function.ts';

/** The smallest XR. */
export const XR: KubeObject = {
  apiVersion: 'hops.ops.com.ai/v1alpha1',
  kind: 'CelldStack',
  metadata: { name: 'demo', namespace: 'team-a' },
  spec: { clusterName: 'hub' },
};

/** A step that runs the function `canned`. */
export function step(name: string, more: Partial<Step> = {}): Step {
  return {
    name,
    function: 'canned',
    credentials: [],
    requirements: { resources: [], schemas: [] },
    ...more,
  };
}

/** A step with this canned answer. */
export function canned(name: string, response: JsonObject): Step {
  return step(name, { input: { response } });
}

function composition(...steps: Step[]): Composition {
  return {
    name: 'celldstacks.hops.ops.com.ai',
    labels: {},
    composite: { apiVersion: XR.apiVersion, kind: XR.kind },
    steps,
  };
}

/** What a render of these steps is given, the function of every step being the canned one. */
export function input(steps: Step[], more: Partial<RenderInput> = {}): RenderInput {
  return {
    xr: XR,
    composition: composition(...steps),
    functions: () => cannedFunction,
    observed: [],
    required: [],
    schemas: [],
    credentials: [],
    context: {},
    ...more,
  };
}

/** All documents. */
export const ALL = { fullXr: true, results: true, context: true };
/** Neither events nor context. */
export const XR_ONLY = { fullXr: false, results: false, context: false };

/** An answer that desires one resource. */
export function desired(resource: JsonObject, key = 'a'): JsonObject {
  return { desired: { resources: { [key]: { resource } } } };
}

/** A function that keeps what it was asked. */
export function recorder(answers: readonly JsonObject[]): {
  run: RunFunction;
  requests: RunFunctionRequest[];
} {
  const requests: RunFunctionRequest[] = [];
  const run: RunFunction = async (bytes) => {
    requests.push(RunFunctionRequest.decode(bytes));
    const answer = answers[Math.min(requests.length, answers.length) - 1];
    return RunFunctionResponse.encode(RunFunctionResponse.fromJSON(answer)).finish();
  };
  return { run, requests };
}

/** The problems a promise is rejected with, or `none`. */
export async function problemsOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof ProblemError) return error.problems;
    throw error;
  }
  return 'none';
}
