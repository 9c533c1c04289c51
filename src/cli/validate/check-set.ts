// What is wrong with objects that stand in one cluster together: the same name twice, references to nothing.
import type { FieldPath } from '../../core/field-path.ts';
import { isList, isObject, type Json, listAt, stringAt, valueAt } from '../../core/json.ts';
import { groupOf } from '../../core/kube-object.ts';
import { isClusterScoped } from '../../crossplane/scope.ts';
import { beyond, type Fault, type Subject } from './subject.ts';

/** The faults of each subject that its neighbors bring to light. */
export function checkSet(subjects: readonly Subject[]): ReadonlyMap<Subject, readonly Fault[]> {
  const known = new Set(subjects.flatMap(identitiesOf));
  const before = new Map<string, Subject>();
  return new Map(
    subjects.map((subject) => [
      subject,
      [
        ...checkTwin(subject, before),
        ...checkComposedScope(subject),
        ...referencesOf(subject)
          .filter((reference) => !known.has(identity(reference)))
          .map((reference) => missing(subject, reference)),
      ],
    ]),
  );
}

interface Reference {
  readonly group: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly path: FieldPath;
  /** A Secret may be made by people, anything else a composed resource names has to be composed. */
  readonly isNote: boolean;
}

function identity({
  group,
  kind,
  namespace,
  name,
}: Pick<Reference, 'group' | 'kind' | 'namespace' | 'name'>): string {
  return JSON.stringify([group, kind, namespace, name]);
}

/** What an object is known by: itself, and the object it carries when it is one of provider-kubernetes. */
function identitiesOf({ object }: Subject): readonly string[] {
  return [object, valueAt(object, 'spec', 'forProvider', 'manifest')].flatMap((one) => {
    const [apiVersion, kind] = [stringAt(one, 'apiVersion'), stringAt(one, 'kind')];
    if (apiVersion === undefined || kind === undefined) return [];
    return identity({ group: groupOf(apiVersion), kind, ...placeOf(one) });
  });
}

function placeOf(object: Json | undefined): { readonly namespace: string; readonly name: string } {
  return {
    namespace: stringAt(object, 'metadata', 'namespace') ?? '',
    name: stringAt(object, 'metadata', 'name') ?? '',
  };
}

/** Objects that were seen are kept under what they are known by. */
function checkTwin(subject: Subject, before: Map<string, Subject>): readonly Fault[] {
  const [own = ''] = identitiesOf(subject);
  const { name } = placeOf(subject.object);
  const twin = before.get(own);
  before.set(own, twin ?? subject);
  if (twin === undefined || name === '') return [];
  const isElsewhere = twin.source !== subject.source;
  const message = `${JSON.stringify(name)} is there already, in ${twin.source}: only the last one applied would be left`;
  return [beyond(subject, 'NAME_DUPLICATE', ['metadata', 'name'], message, isElsewhere)];
}

/** True for what an XR composed. */
export function isComposed({ object }: Subject): boolean {
  const key = 'crossplane.io/composition-resource-name';
  return stringAt(object, 'metadata', 'annotations', key) !== undefined;
}

/** Crossplane refuses to compose a kind without namespace for an XR that has one. */
function checkComposedScope(subject: Subject): readonly Fault[] {
  const { apiVersion, kind, metadata } = subject.object;
  if (!isComposed(subject) || !isClusterScoped(apiVersion, kind)) return [];
  const owner = listAt(metadata, 'ownerReferences').find(
    (one) => valueAt(one, 'controller') === true,
  );
  if (owner === undefined && metadata['namespace'] === undefined) return [];
  const message = `${kind} is cluster-scoped: a namespaced XR cannot compose it`;
  return [beyond(subject, 'SCOPE_CLUSTER', ['kind'], message)];
}

function referencesOf(subject: Subject): readonly Reference[] {
  const isNote = !isComposed(subject);
  return [
    ...usageReferences(subject, isNote),
    ...resourceReferences(subject, isNote),
    ...secretReferences(subject),
  ];
}

function usageReferences(subject: Subject, isNote: boolean): readonly Reference[] {
  const { apiVersion, kind, metadata } = subject.object;
  if (groupOf(apiVersion) !== 'protection.crossplane.io' || !kind.endsWith('Usage')) return [];
  const namespace = stringAt(metadata, 'namespace') ?? '';
  return ['of', 'by'].flatMap((side): Reference[] => {
    const used = valueAt(subject.object, 'spec', side);
    const name = stringAt(used, 'resourceRef', 'name');
    const usedKind = stringAt(used, 'kind');
    if (name === undefined || usedKind === undefined) return [];
    return [
      {
        group: groupOf(stringAt(used, 'apiVersion') ?? ''),
        kind: usedKind,
        namespace: stringAt(used, 'resourceRef', 'namespace') ?? namespace,
        name,
        path: ['spec', side, 'resourceRef', 'name'],
        isNote,
      },
    ];
  });
}

/** The kinds that references of the AWS providers mean, all in the group of the referrer. */
const REFERENCED: { readonly [field: string]: string } = {
  bucketRef: 'Bucket',
  roleRef: 'Role',
  policyArnRef: 'Policy',
};

function resourceReferences(subject: Subject, isNote: boolean): readonly Reference[] {
  const { apiVersion, metadata } = subject.object;
  return Object.entries(REFERENCED).flatMap(([field, kind]): Reference[] => {
    const path = ['spec', 'forProvider', field, 'name'];
    const name = stringAt(subject.object, ...path);
    const namespace = stringAt(metadata, 'namespace') ?? '';
    return name === undefined
      ? []
      : [{ group: groupOf(apiVersion), kind, namespace, name, path, isNote }];
  });
}

const SECRET_KEYS = ['secretKeyRef', 'credentialsSecretRef', 'pullSecretRef', 'secretRef'];

/** References to Secrets on the control plane; values of a Release speak of the target cluster. */
function secretReferences({ object }: Subject): readonly Reference[] {
  const namespace = stringAt(object, 'metadata', 'namespace') ?? '';
  const named = new Map<string, Reference>();
  for (const { secret, path } of namedSecrets(object['spec'], ['spec'])) {
    const reference = {
      group: '',
      kind: 'Secret',
      namespace: stringAt(secret, 'namespace') ?? namespace,
      name: stringAt(secret, 'name') ?? '',
      path: [...path, 'name'],
      isNote: true,
    };
    const key = identity(reference);
    if (!named.has(key)) named.set(key, reference);
  }
  return [...named.values()];
}

interface NamedSecret {
  readonly secret: Json;
  readonly path: FieldPath;
}

function namedSecrets(value: Json | undefined, path: FieldPath): readonly NamedSecret[] {
  if (isList(value)) return value.flatMap((item, i) => namedSecrets(item, [...path, i]));
  if (!isObject(value) || path.at(-1) === 'values' || path.at(-1) === 'manifest') return [];
  return Object.entries(value).flatMap(([key, child]) =>
    SECRET_KEYS.includes(key) && stringAt(child, 'name') !== undefined
      ? [{ secret: child, path: [...path, key] }]
      : namedSecrets(child, [...path, key]),
  );
}

function missing(subject: Subject, { kind, name, path, isNote }: Reference): Fault {
  const what = `${kind} ${JSON.stringify(name)}`;
  const message =
    kind === 'Secret'
      ? `nothing here makes the ${what}: it has to be there already`
      : `nothing here is the ${what}`;
  return beyond(subject, 'REFERENCE_MISSING', path, message, isNote);
}
