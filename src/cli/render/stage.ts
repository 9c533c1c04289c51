// What XRs are rendered with: a Composition, its functions, and the schema that XRs are checked against.
import { objectAt, stringAt } from '../../core/json.ts';
import type { KubeObject } from '../../core/kube-object.ts';
import { type Problem, ProblemError, refuse } from '../../core/problem.ts';
import { type Composition, isComposition, readComposition } from '../../crossplane/composition.ts';
import {
  type DevelopmentRuntime,
  developmentRuntime,
} from '../../crossplane/development-runtime.ts';
import type { RunFunction } from '../../crossplane/function-call.ts';
import { functionRuntime, isFunction } from '../../crossplane/function-runtime.ts';
import type { Manifest } from '../../manifests/load.ts';
import type { ResourceSchema } from '../../schema/resource-schema.ts';
import { isOurFunction, type OwnFunctions, ownXrd } from '../own-stack.ts';
import { xrSchema } from './xr-schema.ts';

export interface Stage {
  readonly composition: Composition;
  readonly functions: (name: string) => RunFunction | undefined;
  /** Absent when no XRD is known for the Composition's XRs: then they are not checked. */
  readonly schema?: ResourceSchema;
  /** Ends the connections to functions. */
  readonly close: () => void;
}

export interface StageInput {
  readonly composition: Manifest;
  readonly functions: readonly Manifest[];
  /** The XRD that was given. */
  readonly xrd: Manifest | undefined;
  readonly own: OwnFunctions;
  /** Set on every Function. */
  readonly annotations: { readonly [annotation: string]: string };
  /** When calls of functions end. */
  readonly deadline: Date;
}

/** Reads a Composition and finds the function of each of its steps. Throws a ProblemError. */
export function openStage(input: StageInput): Stage {
  const composition = compositionOf(input.composition);
  const xrd = input.xrd ?? ownXrdFor(composition, input);
  const schema = xrd && xrSchema(xrd, composition.composite);
  const opened = new Map<string, DevelopmentRuntime>();
  const functions = new Map<string, RunFunction>();
  const problems: Problem[] = [];
  composition.steps.forEach((step, index) => {
    const found = findFunction(step.function, input, opened);
    if (typeof found === 'function') functions.set(step.function, found);
    else {
      const path = ['spec', 'pipeline', index, 'functionRef', 'name'];
      const place = input.composition.placeOf(path);
      problems.push({ ...found, path: `spec.pipeline[${index}].functionRef.name`, place });
    }
  });
  const close = () => {
    for (const runtime of opened.values()) runtime.close();
  };
  if (problems.length > 0) {
    close();
    throw new ProblemError(problems);
  }
  return {
    composition,
    functions: (name) => functions.get(name),
    ...(schema === undefined ? {} : { schema }),
    close,
  };
}

/**
 * Our own XRD, where our own function is to see the XR: in a cluster it only ever sees what our XRD
 * accepts and has filled in.
 */
function ownXrdFor(composition: Composition, input: StageInput): Manifest | undefined {
  const runsOurs = composition.steps.some((step) => {
    const object = functionNamed(input, step.function);
    const repository = object === undefined ? '' : functionRuntime(object, {}).repository;
    return isOurFunction(step.function, repository);
  });
  if (!runsOurs) return undefined;
  const xrd = ownXrd();
  const kind = stringAt(xrd.object, 'spec', 'names', 'kind');
  return kind === composition.composite.kind ? xrd : undefined;
}

function functionNamed({ functions }: StageInput, name: string): KubeObject | undefined {
  return functions.find(({ object }) => object.metadata['name'] === name)?.object;
}

function compositionOf(manifest: Manifest): Composition {
  const read = readComposition(manifest.object);
  if ('steps' in read) return read;
  throw new ProblemError(
    read.map((problem) => ({ ...problem, place: manifest.placeOf(partsOf(problem.path)) })),
  );
}

/** `spec.pipeline[1].step` as keys and indexes. */
function partsOf(path: string): (string | number)[] {
  return [...path.matchAll(/[^.[\]]+/gu)].map(([part]) =>
    /^\d+$/u.test(part) ? Number(part) : part,
  );
}

function findFunction(
  name: string,
  input: StageInput,
  opened: Map<string, DevelopmentRuntime>,
): RunFunction | Pick<Problem, 'code' | 'message' | 'hint'> {
  const { own, annotations, deadline } = input;
  const object = functionNamed(input, name);
  const runtime = object && functionRuntime(object, annotations);
  if (runtime?.runtime === 'Development') {
    const open = opened.get(runtime.target) ?? developmentRuntime(runtime.target, deadline);
    opened.set(runtime.target, open);
    return open.run;
  }
  const ours = own(name, runtime?.repository ?? '');
  if (ours !== undefined) return ours;
  const hint =
    'run the function with --insecure, and annotate its Function with render.crossplane.io/runtime: Development and render.crossplane.io/runtime-development-target: HOST:PORT';
  if (runtime === undefined)
    return {
      code: 'FUNCTION_MISSING',
      message: `there is no Function ${JSON.stringify(name)}`,
      hint,
    };
  return {
    code: 'FUNCTION_RUNTIME',
    message: `the runtime of Function ${JSON.stringify(name)} is ${JSON.stringify(runtime.runtime)}: expected "Development", which needs no Docker`,
    hint,
  };
}

/** Documents by what they are to a render: everything that is neither Composition nor Function may be an XR. */
export function sortOut(manifests: readonly Manifest[]): {
  readonly compositions: readonly Manifest[];
  readonly functions: readonly Manifest[];
  readonly others: readonly Manifest[];
} {
  const is = (test: (object: KubeObject) => boolean) =>
    manifests.filter(({ object }) => test(object));
  return {
    compositions: is(isComposition),
    functions: is(isFunction),
    others: is((object) => !isComposition(object) && !isFunction(object)),
  };
}

/** Throws when an XR selects Compositions by labels that this one does not bear. */
export function checkSelector(xr: Manifest, { name, labels }: Composition): void {
  const path = ['spec', 'crossplane', 'compositionSelector', 'matchLabels'];
  const wanted = Object.entries(objectAt(xr.object, ...path));
  // Labels that are no strings are no selector: the schema refuses them where there is one.
  if (wanted.some(([, value]) => typeof value !== 'string')) return;
  for (const [label, value] of wanted) {
    if (labels[label] === value) continue;
    const has = Object.hasOwn(labels, label) ? JSON.stringify(labels[label]) : 'none';
    refuse(
      'COMPOSITION_MISMATCH',
      `Composition ${JSON.stringify(name)} has ${has} as its label ${JSON.stringify(label)}: expected ${JSON.stringify(value)}`,
      { path: path.join('.'), place: xr.placeOf([...path, label]) },
    );
  }
}
