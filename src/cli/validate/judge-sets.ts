// All that is looked at in sets of objects.
import type { KubeObject } from '../../core/kube-object.ts';
import type { Finding } from '../../schema/finding.ts';
import type { KindCatalog } from '../../schema/kind-catalog.ts';
import { remember } from '../../schema/remember.ts';
import type { ResourceSchema } from '../../schema/resource-schema.ts';
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
  const check = rememberedCheck(kinds);
  return sets.flatMap(({ subjects }) => {
    const amongThem = checkSet(subjects);
    return subjects.map((subject) => {
      const own = checkSubject(subject, check, previous(subject.object));
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

/** The same kinds, with checks that are not made twice: steps of one life share most of their objects. */
function rememberedCheck(kinds: KindCatalog): KindCatalog {
  const known = new Map<string, readonly Finding[]>();
  const remembered = remember(
    (schema: ResourceSchema): ResourceSchema => ({
      ...schema,
      check: (object, previous) => {
        if (previous !== undefined) return schema.check(object, previous);
        const key = JSON.stringify(object);
        const findings = known.get(key) ?? schema.check(object);
        known.set(key, findings);
        return findings;
      },
    }),
  );
  return (apiVersion, kind) => {
    const schema = kinds(apiVersion, kind);
    return schema && remembered(schema);
  };
}
