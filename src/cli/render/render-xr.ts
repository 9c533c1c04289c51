// One XR file to its documents: checked, defaulted, rendered; problems with their places.
import type { KubeObject } from '../../core/kube-object.ts';
import { type Problem, ProblemError } from '../../core/problem.ts';
import type { DocumentOptions } from '../../crossplane/documents.ts';
import { checkObserved, isSameObject } from '../../crossplane/observed.ts';
import { identified, type Rendered, render } from '../../crossplane/render.ts';
import type { Manifest } from '../../manifests/load.ts';
import { checkSelector, type Stage } from './stage.ts';
import type { Surroundings } from './surroundings.ts';
import { withDefaults, xrProblems } from './xr-schema.ts';

/** What a cluster would refuse in an XR before any function runs. */
export function checkXr(stage: Stage, xr: Manifest): readonly Problem[] {
  const problems = xrProblems(stage.schema, xr);
  if (problems.length > 0) return problems;
  try {
    checkSelector(xr, stage.composition);
    return [];
  } catch (error) {
    if (error instanceof ProblemError) return error.problems;
    throw error;
  }
}

/** Renders an XR that `checkXr` accepts. Throws a ProblemError. */
export async function renderXr(
  stage: Stage,
  xr: Manifest,
  around: Surroundings,
  options: DocumentOptions,
): Promise<Rendered> {
  const object = stage.schema === undefined ? xr.object : withDefaults(stage.schema, xr.object);
  const input = {
    xr: object,
    composition: stage.composition,
    functions: stage.functions,
    observed: observedOf(object, around.observed),
    required: around.required.map((manifest) => manifest.object),
    schemas: around.schemas,
    credentials: around.credentials.map((manifest) => manifest.object),
    context: around.context,
  };
  try {
    return await render(input, options);
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    throw new ProblemError(error.problems.map((one) => ({ place: xr.placeOf([]), ...one })));
  }
}

function observedOf(xr: KubeObject, manifests: readonly Manifest[]): readonly KubeObject[] {
  const others = manifests.filter(({ object }) => !isSameObject(object, xr));
  const objects = others.map(({ object }) => object);
  const faults = checkObserved(identified(xr), objects);
  if (faults.length === 0) return objects;
  throw new ProblemError(
    faults.map(({ index, problem }): Problem => {
      const place = others[index]?.placeOf(problem.path.split(/[.[]/u).slice(0, 2));
      return { ...problem, ...(place === undefined ? {} : { place }) };
    }),
  );
}
