// The one Composition and the one XRD among the files that were given.
import { refuse } from '../../core/problem.ts';
import { isComposition } from '../../crossplane/composition.ts';
import { describeObject } from '../../crossplane/names.ts';
import { loadManifests, type Manifest } from '../../manifests/load.ts';

/** The only Composition of some documents. Throws a ProblemError when there is none or a second. */
export function onlyComposition(manifests: readonly Manifest[]): Manifest {
  const [first, second] = manifests.filter(({ object }) => isComposition(object));
  if (first === undefined)
    return refuse('COMPOSITION_INVALID', 'found no Composition: expected one', {
      ...(manifests[0] === undefined ? {} : { place: manifests[0].placeOf([]) }),
    });
  if (second === undefined) return first;
  return refuse('COMPOSITION_INVALID', 'found a second Composition: expected one', {
    place: second.placeOf([]),
  });
}

/** The only document of a file, which has to be an XRD. Throws a ProblemError. */
export function onlyXrd(path: string): Manifest {
  const [xrd, ...more] = loadManifests([path]);
  if (xrd !== undefined && more.length === 0 && xrd.object.kind === 'CompositeResourceDefinition')
    return xrd;
  const found = xrd === undefined ? 'no document' : describeObject(more[0]?.object ?? xrd.object);
  return refuse(
    'XRD_MISMATCH',
    `found ${found} in ${path}: expected one CompositeResourceDefinition`,
  );
}
