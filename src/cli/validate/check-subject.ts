// What is wrong with one object: its own schema, and the objects and values it carries.
import type { FieldPath } from '../../core/field-path.ts';
import { isObject, type Json, listAt, objectAt, stringAt, valueAt } from '../../core/json.ts';
import { groupOf, isKubeObject, type KubeObject } from '../../core/kube-object.ts';
import { checkExpression } from '../../schema/cel/check-expression.ts';
import { checkDefinition } from '../../schema/check-definition.ts';
import { droppedFields, isCompositeDefinition } from '../../schema/composite-schema.ts';
import { type Finding, quote } from '../../schema/finding.ts';
import type { KindCatalog } from '../../schema/kind-catalog.ts';
import type { ResourceSchema } from '../../schema/resource-schema.ts';
import { unknownField } from '../../schema/unknown-fields.ts';
import { fieldHint } from '../render/field-hint.ts';
import { checkResourceNames } from './check-resource-names.ts';
import { isDefinition } from './kinds.ts';
import { checkReleaseValues, checkStackValues } from './release-values.ts';
import { beyond, type Fault, faultOf, type Subject } from './subject.ts';

/** A subject that was judged. */
export interface Judged {
  readonly subject: Subject;
  readonly status: 'valid' | 'invalid' | 'missingSchema';
  readonly faults: readonly Fault[];
}

/** Judges a subject by its schema, as an update where the object it replaces is known. */
export function checkSubject(
  subject: Subject,
  kinds: KindCatalog,
  previous: KubeObject | undefined,
): Judged {
  const { object } = subject;
  const schema = kinds(object.apiVersion, object.kind);
  const definition = isDefinition(object) ? checkDefinition(object) : [];
  if (schema === undefined && !isDefinition(object)) {
    return { subject, status: 'missingSchema', faults: [] };
  }
  const findings = [...(schema?.check(object, previous) ?? []), ...definition];
  const faults = [
    ...findings.map((finding) => hinted(faultOf(subject, finding), finding, schema)),
    ...checkCarried(subject, kinds),
    ...checkScope(subject, schema?.scope),
    ...checkDropped(subject),
  ];
  return judged(subject, faults);
}

/** An unknown field with what was most likely meant. */
function hinted(fault: Fault, finding: Finding, schema: ResourceSchema | undefined): Fault {
  if (finding.code !== 'FIELD_UNKNOWN' || schema === undefined) return fault;
  const hint = fieldHint(schema.schema, finding.path);
  return hint === undefined ? fault : { ...fault, hint };
}

/** Faults in the order of the file, notes behind them; a subject with notes alone is valid. */
export function judged(subject: Subject, faults: readonly Fault[]): Judged {
  // An object inside another may be looked at by the schema of both.
  const unique = new Map(faults.map((fault) => [`${fault.code} ${fault.message}`, fault]));
  const sorted = [...unique.values()].sort(
    (a, b) =>
      Number(a.isNote) - Number(b.isNote) ||
      (a.place.line ?? 0) - (b.place.line ?? 0) ||
      (a.place.column ?? 0) - (b.place.column ?? 0) ||
      (a.field < b.field ? -1 : Number(a.field > b.field)) ||
      (a.code < b.code ? -1 : Number(a.code > b.code)),
  );
  const isInvalid = faults.some(({ isNote }) => !isNote);
  return { subject, status: isInvalid ? 'invalid' : 'valid', faults: sorted };
}

/** The manifest inside an Object of provider-kubernetes, and the values of a Release of our chart. */
function checkCarried(subject: Subject, kinds: KindCatalog): readonly Fault[] {
  const { object } = subject;
  if (POD_KINDS.includes(object.kind)) {
    return checkResourceNames(subject, object['spec'] as Json, ['spec']);
  }
  if (/^kubernetes\.(?:m\.)?crossplane\.io$/u.test(groupOf(object.apiVersion))) {
    return object.kind === 'Object'
      ? [...checkManifest(subject, kinds), ...checkQuery(subject)]
      : [];
  }
  if (object.kind === 'CelldStack') return checkStackValues(subject);
  return object.kind === 'Release' ? checkReleaseValues(subject) : [];
}

/** Kinds of Kubernetes that have containers. */
const POD_KINDS = ['Pod', 'Deployment', 'StatefulSet', 'DaemonSet', 'Job', 'CronJob'];

const MANIFEST: FieldPath = ['spec', 'forProvider', 'manifest'];

function checkManifest(subject: Subject, kinds: KindCatalog): readonly Fault[] {
  const manifest = valueAt(subject.object, ...MANIFEST);
  if (!isKubeObject(manifest)) return checkHead(subject, manifest);
  // What is only observed needs no more than a name.
  const policies = listAt(subject.object, 'spec', 'managementPolicies');
  if (policies.length > 0 && policies.every((policy) => policy === 'Observe')) return [];
  const findings = kinds(manifest.apiVersion, manifest.kind)?.check(manifest) ?? [];
  return findings.map((finding) => faultOf(subject, finding, MANIFEST));
}

const HEAD = ['apiVersion', 'kind', 'metadata'];

/** Which fields of a manifest without a head look like one that is missing; the schema says the rest. */
function checkHead(subject: Subject, manifest: Json | undefined): readonly Fault[] {
  if (!isObject(manifest)) return [];
  const missing = HEAD.filter((key) => !Object.hasOwn(manifest, key));
  return Object.keys(manifest)
    .filter((key) => missing.some((wanted) => isNear(key, wanted)))
    .map((key) => faultOf(subject, unknownField([key]), MANIFEST));
}

/** True for two words of one length that differ in one letter. */
function isNear(a: string, b: string): boolean {
  return a.length === b.length && [...a].filter((char, i) => char !== b[i]).length === 1;
}

const QUERY: FieldPath = ['spec', 'readiness', 'celQuery'];

/** The provider compiles the query only when it first looks at the object. */
function checkQuery(subject: Subject): readonly Fault[] {
  const query = stringAt(subject.object, ...QUERY);
  const error = query === undefined ? undefined : checkExpression(query, ['object']);
  if (error === undefined) return [];
  return [beyond(subject, 'RULE_REFUSED', QUERY, `Invalid value: ${quote(query ?? '')}: ${error}`)];
}

/** A namespace on a kind that has none. */
function checkScope(subject: Subject, scope: 'Namespaced' | 'Cluster' | undefined) {
  const { metadata } = subject.object;
  if (scope !== 'Cluster' || metadata['namespace'] === undefined) return [];
  return [
    faultOf(subject, {
      type: 'schema',
      path: ['metadata', 'namespace'],
      field: 'metadata.namespace',
      reason: 'FieldValueForbidden',
      message: 'Forbidden: not allowed on this type',
      code: 'FIELD_FORBIDDEN',
    }),
  ];
}

/** What Crossplane leaves out, without a word, when it makes a CRD of an XRD. */
function checkDropped(subject: Subject): readonly Fault[] {
  if (!isCompositeDefinition(subject.object)) return [];
  return droppedFields(subject.object).map((path) => {
    const message = `Crossplane leaves this out of the CRD it makes: it keeps no ${path.at(-1)} here`;
    return beyond(subject, 'SCHEMA_DROPPED', path, message);
  });
}

/** The inputs of the steps of a Composition, which are resources of their own. */
export function inputsOf(subject: Subject): readonly Subject[] {
  const { object } = subject;
  if (object.kind !== 'Composition' || groupOf(object.apiVersion) !== 'apiextensions.crossplane.io')
    return [];
  return listAt(object, 'spec', 'pipeline').flatMap((step, index) => {
    const input = valueAt(step, 'input');
    if (!isObject(input)) return [];
    const path: FieldPath = ['spec', 'pipeline', index, 'input'];
    const named = { metadata: objectAt(input, 'metadata'), ...input };
    return isKubeObject(named)
      ? [
          {
            object: named,
            source: subject.source,
            placeOf: (inner: FieldPath) => subject.placeOf([...path, ...inner]),
          },
        ]
      : [];
  });
}
