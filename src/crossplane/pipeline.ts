// The steps of a Composition in order, each with what the one before it answered.
import { type JsonObject, objectAt, sortKeys } from '../core/json.ts';
import type { KubeObject } from '../core/kube-object.ts';
import type { Composition, Step } from './composition.ts';
import type { ConditionWish } from './conditions.ts';
import { type Failure, fail, ReconcileFailure } from './failure.ts';
import { callFunction, type RunFunction, sorted } from './function-call.ts';
import { nameOf, namespaceOf } from './names.ts';
import {
  type Condition,
  type Credentials,
  type Result,
  type RunFunctionResponse,
  Severity,
  type State,
  Status,
} from './protocol.ts';
import type { Pool } from './required.ts';

/** Something Crossplane tells about an XR. */
export interface Event {
  readonly severity: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}

export interface PipelineInput {
  readonly composition: Composition;
  readonly functions: (name: string) => RunFunction | undefined;
  readonly xr: KubeObject;
  /** The composed resources that exist, by composition-resource-name. */
  readonly observed: { readonly [key: string]: KubeObject };
  readonly pool: Pool;
  /** Secrets that steps name as credentials. */
  readonly credentials: readonly KubeObject[];
  readonly context: JsonObject;
}

/** What the last step left, and what all steps said. */
export interface PipelineOutput {
  readonly desired: State;
  readonly context: JsonObject;
  readonly events: readonly Event[];
  readonly conditions: readonly ConditionWish[];
  /** The shortest time a function wants to be called again after; 0 when none said. */
  readonly ttlSeconds: number;
  /** Set when a step failed: then `desired` means nothing. */
  readonly failure?: Failure;
}

/** Runs the pipeline. A failed step ends it; the conditions set until then are kept. */
export async function runPipeline(input: PipelineInput): Promise<PipelineOutput> {
  const observed = observedState(input);
  let output: PipelineOutput = {
    desired: { composite: undefined, resources: {} },
    context: input.context,
    events: [],
    conditions: [],
    ttlSeconds: 0,
  };
  for (const step of input.composition.steps) {
    try {
      const answer = await callFunction({
        step,
        run: functionOf(step, input),
        observed,
        desired: inOrder(output.desired),
        context: sortKeys(output.context),
        credentials: credentialsOf(step, input.credentials),
        pool: input.pool,
      });
      output = afterStep(output, step, answer);
    } catch (error) {
      if (!(error instanceof ReconcileFailure)) throw error;
      output = { ...output, failure: error.failure };
    }
    if (output.failure !== undefined) return output;
  }
  return output;
}

function functionOf(step: Step, input: PipelineInput): RunFunction {
  return (
    input.functions(step.function) ??
    fail(
      'FUNCTION_MISSING',
      `cannot run pipeline step ${JSON.stringify(step.name)}: there is no function ${JSON.stringify(step.function)}`,
      'give a Function of that name',
    )
  );
}

function observedState({ xr, observed }: PipelineInput): State {
  return {
    composite: { resource: sortKeys<JsonObject>(xr), connectionDetails: {}, ready: 0 },
    resources: sorted(
      Object.fromEntries(
        Object.entries(observed).map(([key, object]) => [
          key,
          { resource: sortKeys<JsonObject>(object), connectionDetails: {}, ready: 0 },
        ]),
      ),
    ),
  };
}

function inOrder(state: State): State {
  return { composite: state.composite, resources: sorted(state.resources) };
}

function credentialsOf(
  step: Step,
  secrets: readonly KubeObject[],
): { [name: string]: Credentials } {
  return Object.fromEntries(
    step.credentials.map((wanted) => {
      const secret = secrets.find(
        (one) =>
          one.kind === 'Secret' &&
          nameOf(one) === wanted.secret &&
          namespaceOf(one) === wanted.namespace,
      );
      if (secret === undefined)
        return fail(
          'CREDENTIALS_MISSING',
          `cannot run pipeline step ${JSON.stringify(step.name)}: there is no Secret ${wanted.namespace}/${wanted.secret} for its credentials ${JSON.stringify(wanted.name)}`,
          'give the Secret with --function-credentials',
        );
      return [wanted.name, { credentialData: { data: sorted(secretData(secret)) } }];
    }),
  );
}

/** The bytes of a Secret; `stringData` wins, as it does in the API server. */
function secretData(secret: KubeObject): { [key: string]: Buffer } {
  const of = (field: string, encoding: BufferEncoding) =>
    Object.entries(objectAt(secret, field)).map(([key, value]): [string, Buffer] => [
      key,
      Buffer.from(String(value), encoding),
    ]);
  return Object.fromEntries([...of('data', 'base64'), ...of('stringData', 'utf8')]);
}

function afterStep(
  before: PipelineOutput,
  step: Step,
  answer: RunFunctionResponse,
): PipelineOutput {
  const fatal = answer.results.findIndex(({ severity }) => severity === Severity.SEVERITY_FATAL);
  const told = fatal === -1 ? answer.results : answer.results.slice(0, fatal);
  const message = answer.results[fatal]?.message;
  return {
    desired: answer.desired ?? { composite: undefined, resources: {} },
    context: answer.context ?? {},
    events: [...before.events, ...told.map((result) => eventOf(step, result))],
    conditions: [...before.conditions, ...answer.conditions.map(conditionOf)],
    ttlSeconds: shorter(before.ttlSeconds, answer),
    ...(message === undefined
      ? {}
      : {
          failure: {
            code: 'FUNCTION_FATAL' as const,
            message: `pipeline step ${JSON.stringify(step.name)} returned a fatal result: ${message}`,
          },
        }),
  };
}

function shorter(before: number, answer: RunFunctionResponse): number {
  const ttl = answer.meta?.ttl;
  const seconds = ttl === undefined ? 0 : ttl.seconds + ttl.nanos / 1e9;
  if (seconds <= 0) return before;
  return before === 0 ? seconds : Math.min(before, seconds);
}

function eventOf(step: Step, { severity, reason, message }: Result): Event {
  const known = severity === Severity.SEVERITY_WARNING || severity === Severity.SEVERITY_NORMAL;
  const said = known ? '' : ' returned a result of unknown severity (assuming warning)';
  return {
    severity: severity === Severity.SEVERITY_NORMAL ? 'Normal' : 'Warning',
    reason: reason === undefined || reason === '' ? 'ComposeResources' : reason,
    message: `Pipeline step ${JSON.stringify(step.name)}${said}: ${message}`,
  };
}

function conditionOf({ type, status, reason, message }: Condition): ConditionWish {
  return {
    type,
    status: statusText(status),
    reason,
    ...(message === undefined ? {} : { message }),
  };
}

function statusText(status: Status): ConditionWish['status'] {
  if (status === Status.STATUS_CONDITION_TRUE) return 'True';
  return status === Status.STATUS_CONDITION_FALSE ? 'False' : 'Unknown';
}
