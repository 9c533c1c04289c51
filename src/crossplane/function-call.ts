// One step of a pipeline: the request in encoded bytes, and the calls until the function has what it requires.
import { createHash } from 'node:crypto';
import { compareStrings } from '../core/json.ts';
import { messageOf, ProblemError } from '../core/problem.ts';
import type { Step } from './composition.ts';
import { fail } from './failure.ts';
import {
  Capability,
  type Credentials,
  type Requirements,
  type ResourceSelector,
  type Resources,
  RunFunctionRequest,
  RunFunctionResponse,
  type Schema,
  Severity,
  type State,
} from './protocol.ts';
import { findObjects, findSchema, type Pool } from './required.ts';

/** A function: an encoded RunFunctionRequest in, an encoded RunFunctionResponse out. */
export type RunFunction = (request: Uint8Array) => Promise<Uint8Array>;

/** What a step is called with, apart from what it requires. */
export interface StepInput {
  readonly step: Step;
  readonly run: RunFunction;
  readonly observed: State;
  readonly desired: State;
  readonly context: { [key: string]: unknown };
  readonly credentials: { [name: string]: Credentials };
  readonly pool: Pool;
}

/** Crossplane calls at most once, and then five times more because of changed requirements. */
const MAX_ITERATIONS = 5;

const CAPABILITIES = [
  Capability.CAPABILITY_CAPABILITIES,
  Capability.CAPABILITY_REQUIRED_RESOURCES,
  Capability.CAPABILITY_CREDENTIALS,
  Capability.CAPABILITY_CONDITIONS,
  Capability.CAPABILITY_REQUIRED_SCHEMAS,
];

/**
 * Calls the function of a step until its requirements are stable. Only the context is carried from
 * call to call; the desired state of an earlier call is dropped. Throws a ReconcileFailure.
 */
export async function callFunction(input: StepInput): Promise<RunFunctionResponse> {
  const always = bootstrapOf(input.step, input.pool);
  let asked: RunFunctionRequest = {
    meta: undefined,
    observed: input.observed,
    desired: input.desired,
    input: input.step.input,
    context: input.context,
    credentials: input.credentials,
    extraResources: {},
    requiredResources: always.resources,
    requiredSchemas: always.schemas,
  };
  let before: string | undefined;
  for (let iteration = 0; iteration <= MAX_ITERATIONS; iteration++) {
    const answer = await callOnce(input, asked);
    if (answer.results.some(({ severity }) => severity === Severity.SEVERITY_FATAL)) return answer;
    const now = textOf(answer.requirements);
    if (now === before) return answer;
    before = now;
    const { extraResources = {}, resources = {}, schemas = {} } = answer.requirements ?? {};
    asked = {
      ...asked,
      context: answer.context ?? {},
      extraResources: mapValues(extraResources, (one) => lookUp(input.pool, one)),
      requiredResources: sorted({
        ...mapValues(resources, (one) => lookUp(input.pool, one)),
        ...always.resources,
      }),
      requiredSchemas: sorted({
        ...mapValues(schemas, (one) => findSchema(input.pool, one)),
        ...always.schemas,
      }),
    };
  }
  return fail(
    'FUNCTION_REQUIREMENTS',
    `cannot run pipeline step ${quote(input.step.name)}: requirements didn't stabilize after the maximum number of iterations (${MAX_ITERATIONS})`,
    'let the function ask for the same resources at each call',
  );
}

function bootstrapOf(
  { requirements }: Step,
  pool: Pool,
): { resources: { [name: string]: Resources }; schemas: { [name: string]: Schema } } {
  return {
    resources: sorted(
      Object.fromEntries(
        requirements.resources.map((one) => [one.requirement, findObjects(pool, one)]),
      ),
    ),
    schemas: sorted(
      Object.fromEntries(
        requirements.schemas.map((one) => [one.requirement, findSchema(pool, one)]),
      ),
    ),
  };
}

async function callOnce(
  { step, run }: StepInput,
  request: RunFunctionRequest,
): Promise<RunFunctionResponse> {
  const tag = createHash('sha256')
    .update(RunFunctionRequest.encode(request).finish())
    .digest('hex');
  const meta = { tag, capabilities: CAPABILITIES };
  const bytes = await answerOf(
    step.name,
    run(RunFunctionRequest.encode({ ...request, meta }).finish()),
  );
  try {
    return RunFunctionResponse.decode(bytes);
  } catch (error) {
    return fail(
      'FUNCTION_ANSWER',
      `cannot run pipeline step ${quote(step.name)}: the function's answer is no RunFunctionResponse: ${messageOf(error)}`,
    );
  }
}

/** What could not be reached is the user's to mend; any other error of a function in this process is a defect. */
async function answerOf(step: string, answer: Promise<Uint8Array>): Promise<Uint8Array> {
  try {
    return await answer;
  } catch (error) {
    const problem = error instanceof ProblemError ? error.problems[0] : undefined;
    if (problem === undefined) throw error;
    return fail(
      problem.code,
      `cannot run pipeline step ${quote(step)}: ${problem.message}`,
      problem.hint,
    );
  }
}

function lookUp(pool: Pool, selector: ResourceSelector): Resources {
  return findObjects(pool, {
    apiVersion: selector.apiVersion,
    kind: selector.kind,
    name: selector.matchName,
    labels: selector.matchLabels?.labels,
    namespace: selector.namespace,
  });
}

/** Requirements as one text whatever the order of their maps; absent and empty ones differ, as in Crossplane. */
function textOf(requirements: Requirements | undefined): string | undefined {
  if (requirements === undefined) return undefined;
  return JSON.stringify([
    mapValues(requirements.extraResources, selectorText),
    mapValues(requirements.resources, selectorText),
    mapValues(requirements.schemas, ({ apiVersion, kind }) => [apiVersion, kind]),
  ]);
}

function selectorText(one: ResourceSelector): unknown {
  const labels = one.matchLabels && sorted(one.matchLabels.labels);
  return [one.apiVersion, one.kind, one.matchName, labels, one.namespace];
}

function mapValues<A, B>(map: { [key: string]: A }, change: (value: A) => B): { [key: string]: B } {
  return sorted(
    Object.fromEntries(Object.entries(map).map(([key, value]) => [key, change(value)])),
  );
}

/** The same map with its keys in order, so that equal requests are equal bytes. */
export function sorted<A>(map: { [key: string]: A }): { [key: string]: A } {
  return Object.fromEntries(Object.entries(map).sort(([a], [b]) => compareStrings(a, b)));
}

function quote(text: string): string {
  return JSON.stringify(text);
}
