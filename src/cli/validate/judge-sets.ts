// All that is looked at in sets of objects.
import type { KubeObject } from '../../core/kube-object.ts';
import type { KindCatalog } from '../../schema/kind-catalog.ts';
import { checkNameLength } from './check-names.ts';
import { checkSet } from './check-set.ts';
import { checkSubject, type Judged, judged } from './check-subject.ts';
import { checkProviderFields, type Dependencies } from './provider-fields.ts';
import type { SubjectSet } from './subject.ts';

/** Finds the object that another one replaces. */
export type Previous = (object: KubeObject) => KubeObject | undefined;

/** What objects are judged by. */
export interface Judges {
  readonly kinds: KindCatalog;
  readonly previous: Previous;
  readonly dependencies: Dependencies;
}

/** Judges objects, each by itself and among those it stands with. */
export function judgeSets(
  sets: readonly SubjectSet[],
  { kinds, previous, dependencies }: Judges,
): readonly Judged[] {
  return sets.flatMap(({ subjects }) => {
    const amongThem = checkSet(subjects);
    return subjects.map((subject) => {
      const own = checkSubject(subject, kinds, previous(subject.object));
      const faults = [
        ...own.faults,
        ...(amongThem.get(subject) ?? []),
        ...checkNameLength(subject),
        ...checkProviderFields(subject, dependencies),
      ];
      return own.status === 'missingSchema' && faults.length === 0 ? own : judged(subject, faults);
    });
  });
}
