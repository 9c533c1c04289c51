// Which documents of the given files are XRs of a Composition, and what is wrong where none is.
import { type Problem, ProblemError } from '../../core/problem.ts';
import { describeObject } from '../../crossplane/names.ts';
import type { Manifest } from '../../manifests/load.ts';

/** Documents of one path that was given. */
export interface Source {
  readonly path: string;
  readonly manifests: readonly Manifest[];
}

export interface FoundXrs {
  readonly xrs: readonly Manifest[];
  /** Documents of other kinds beside them, which are passed over. */
  readonly others: readonly Manifest[];
}

/**
 * The XRs of the given kind. Throws a ProblemError for an XR of another apiVersion, and for a path
 * that has no XR at all.
 */
export function findXrs(
  sources: readonly Source[],
  composite: { readonly apiVersion: string; readonly kind: string },
): FoundXrs {
  const problems = sources.flatMap((source) => problemsOf(source, composite));
  if (problems.length > 0) throw new ProblemError(problems);
  const all = sources.flatMap(({ manifests }) => manifests);
  return {
    xrs: all.filter(({ object }) => object.kind === composite.kind),
    others: all.filter(({ object }) => object.kind !== composite.kind),
  };
}

function problemsOf(
  { path, manifests }: Source,
  { apiVersion, kind }: { readonly apiVersion: string; readonly kind: string },
): readonly Problem[] {
  const xrs = manifests.filter(({ object }) => object.kind === kind);
  if (xrs.length === 0) return [missing(path, manifests, kind)];
  return xrs
    .filter(({ object }) => object.apiVersion !== apiVersion)
    .map((xr) => ({
      code: 'COMPOSITION_MISMATCH',
      path: 'apiVersion',
      message: `Unsupported value: ${JSON.stringify(xr.object.apiVersion)}: supported values: ${JSON.stringify(apiVersion)}`,
      place: xr.placeOf(['apiVersion']),
    }));
}

function missing(path: string, manifests: readonly Manifest[], kind: string): Problem {
  const [first] = manifests;
  const name = path === '-' ? 'stdin' : path;
  if (first === undefined)
    return {
      code: 'XR_MISSING',
      path: '',
      message: `found no XR in ${name}: expected one of kind ${kind}`,
    };
  return {
    code: 'XR_MISSING',
    path: 'kind',
    message: `found ${describeObject(first.object)}: expected an XR of kind ${kind}`,
    place: first.placeOf(['kind']),
  };
}
