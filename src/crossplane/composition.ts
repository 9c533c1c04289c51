// A Composition as far as a pipeline needs it, checked with the rules of its CRD.
import { isObject, type JsonObject, listAt, objectAt, stringAt } from '../core/json.ts';
import { groupOf, type KubeObject } from '../core/kube-object.ts';
import type { Problem } from '../core/problem.ts';

export interface Composition {
  readonly name: string;
  readonly labels: JsonObject;
  readonly composite: { readonly apiVersion: string; readonly kind: string };
  readonly steps: readonly Step[];
}

/** One step of a pipeline. */
export interface Step {
  readonly name: string;
  /** The name of the Function object. */
  readonly function: string;
  readonly input?: JsonObject;
  /** Secrets by the name the function knows them under. */
  readonly credentials: readonly {
    readonly name: string;
    readonly namespace: string;
    readonly secret: string;
  }[];
  /** Resources and schemas that are there from the first call on. */
  readonly requirements: {
    readonly resources: readonly RequiredResource[];
    readonly schemas: readonly RequiredSchema[];
  };
}

/** Which objects a step wants to see. */
export interface RequiredResource {
  readonly requirement: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly name?: string;
  readonly labels?: { readonly [label: string]: string };
  readonly namespace?: string;
}

/** Which kind's schema a step wants to see. */
export interface RequiredSchema {
  readonly requirement: string;
  readonly apiVersion: string;
  readonly kind: string;
}

/** True for a Composition object. */
export function isComposition(object: KubeObject): boolean {
  return (
    object.kind === 'Composition' && groupOf(object.apiVersion) === 'apiextensions.crossplane.io'
  );
}

const MAX_STEPS = 99;

/** Reads a Composition. Gives the problems instead when a cluster would refuse it. */
export function readComposition(object: KubeObject): Composition | readonly Problem[] {
  const problems: Problem[] = [];
  const wrong = (path: string, message: string) =>
    problems.push({ code: 'COMPOSITION_INVALID', path, message });
  const mode = stringAt(object, 'spec', 'mode') ?? 'Pipeline';
  if (mode !== 'Pipeline')
    wrong('spec.mode', `Unsupported value: ${JSON.stringify(mode)}: supported values: "Pipeline"`);
  const composite = {
    apiVersion: stringAt(object, 'spec', 'compositeTypeRef', 'apiVersion') ?? '',
    kind: stringAt(object, 'spec', 'compositeTypeRef', 'kind') ?? '',
  };
  for (const [field, value] of Object.entries(composite)) {
    if (value === '') wrong(`spec.compositeTypeRef.${field}`, 'Required value');
  }
  const pipeline = listAt(object, 'spec', 'pipeline');
  if (pipeline.length === 0)
    wrong('spec.pipeline', 'Required value: a pipeline has at least one step');
  if (pipeline.length > MAX_STEPS)
    wrong('spec.pipeline', `Too many: ${pipeline.length}: must have at most ${MAX_STEPS} items`);
  const steps = pipeline.map(readStep);
  steps.forEach((step, index) => {
    const at = `spec.pipeline[${index}]`;
    if (step.name === '') wrong(`${at}.step`, 'Required value');
    if (step.function === '') wrong(`${at}.functionRef.name`, 'Required value');
    if (step.name !== '' && steps.findIndex((one) => one.name === step.name) < index)
      wrong(`${at}.step`, `Duplicate value: ${JSON.stringify(step.name)}`);
  });
  if (problems.length > 0) return problems;
  return {
    name: stringAt(object, 'metadata', 'name') ?? '',
    labels: objectAt(object, 'metadata', 'labels'),
    composite,
    steps,
  };
}

function readStep(value: unknown): Step {
  const input = objectAt(value, 'input');
  return {
    name: stringAt(value, 'step') ?? '',
    function: stringAt(value, 'functionRef', 'name') ?? '',
    ...(Object.keys(input).length === 0 ? {} : { input }),
    credentials: listAt(value, 'credentials').flatMap((one) => {
      const name = stringAt(one, 'name');
      const secret = stringAt(one, 'secretRef', 'name');
      if (stringAt(one, 'source') !== 'Secret' || name === undefined || secret === undefined)
        return [];
      return [{ name, secret, namespace: stringAt(one, 'secretRef', 'namespace') ?? '' }];
    }),
    requirements: {
      resources: listAt(value, 'requirements', 'requiredResources').map(readRequiredResource),
      schemas: listAt(value, 'requirements', 'requiredSchemas').map(readRequiredSchema),
    },
  };
}

function readRequiredSchema(value: unknown): RequiredSchema {
  return {
    requirement: stringAt(value, 'requirementName') ?? '',
    apiVersion: stringAt(value, 'apiVersion') ?? '',
    kind: stringAt(value, 'kind') ?? '',
  };
}

function readRequiredResource(value: unknown): RequiredResource {
  const name = stringAt(value, 'name');
  const namespace = stringAt(value, 'namespace');
  const labels =
    isObject(value) && isObject(value['matchLabels']) ? value['matchLabels'] : undefined;
  return {
    ...readRequiredSchema(value),
    ...(name === undefined ? {} : { name }),
    ...(namespace === undefined ? {} : { namespace }),
    ...(labels === undefined ? {} : { labels: stringsOf(labels) }),
  };
}

function stringsOf(labels: JsonObject): { [label: string]: string } {
  return Object.fromEntries(Object.entries(labels).map(([key, value]) => [key, String(value)]));
}
