// A kind as the API server knows it: what it fills in, what it refuses, in its own words.
import { isObject, type Json, type JsonObject, listAt, objectAt, stringAt } from '../core/json.ts';
import type { KubeObject } from '../core/kube-object.ts';
import { applyDefaults } from './apply-defaults.ts';
import { checkLists } from './check-lists.ts';
import { checkEmbedded, checkMetadata, decodeMetadata } from './check-metadata.ts';
import { checkRules, hasRules } from './check-rules.ts';
import { checkValue } from './check-value.ts';
import { compositeCrd, isCompositeDefinition } from './composite-schema.ts';
import { blocksRules, type Finding, RULES_NOT_CHECKED } from './finding.ts';
import type { Schema } from './open-api-schema.ts';
import { pruneUnknown, unknownField } from './unknown-fields.ts';

/** One version of a kind. */
export interface ResourceSchema {
  readonly apiVersion: string;
  readonly kind: string;
  readonly plural: string;
  readonly scope: 'Namespaced' | 'Cluster';
  readonly schema: Schema;
  /** The object with its defaults, and without nulls where the schema allows none. */
  readonly applyDefaults: (object: JsonObject) => JsonObject;
  /**
   * Everything an API server would refuse in an object: unknown fields, the schema, the rules. With
   * the object it replaces, transition rules too. Defaults are applied first, as the server does.
   */
  readonly check: (object: JsonObject, previous?: JsonObject) => readonly Finding[];
}

/**
 * The schema of one version of a CRD, or of a CompositeResourceDefinition after Crossplane has made
 * it a CRD. Throws a RangeError for a version the definition does not have.
 */
export function resourceSchema(definition: KubeObject, version: string): ResourceSchema {
  const crd = isCompositeDefinition(definition) ? compositeCrd(definition) : definition;
  const spec = objectAt(crd, 'spec');
  const found = listAt(spec, 'versions').find((one) => stringAt(one, 'name') === version);
  if (found === undefined) {
    throw new RangeError(`${stringAt(crd, 'metadata', 'name')} has no version ${version}`);
  }
  const schema = objectAt(found, 'schema', 'openAPIV3Schema') as Schema;
  return {
    apiVersion: [stringAt(spec, 'group') ?? [], version].flat().join('/'),
    kind: stringAt(spec, 'names', 'kind') ?? '',
    plural: stringAt(spec, 'names', 'plural') ?? '',
    scope: stringAt(spec, 'scope') === 'Cluster' ? 'Cluster' : 'Namespaced',
    schema,
    applyDefaults: (object) => applyDefaults(object, schema) as JsonObject,
    check: (object, previous) => checkResource(object, schema, previous),
  };
}

/** The names of the versions a definition serves. */
export function servedVersions(definition: KubeObject): readonly string[] {
  return listAt(definition, 'spec', 'versions')
    .filter((version) => isObject(version) && version['served'] !== false)
    .map((version) => stringAt(version, 'name') ?? '');
}

function checkResource(
  object: JsonObject,
  schema: Schema,
  previous: JsonObject | undefined,
): readonly Finding[] {
  const pruned = pruneUnknown(object, schema);
  const value = applyDefaults(pruned.value, schema) as JsonObject;
  const old = previous === undefined ? undefined : stored(previous, schema);
  const findings = [
    ...pruned.unknown.map(unknownField),
    ...decodeMetadata(value['metadata'], ['metadata']),
    ...checkMetadata(value),
    ...checkValue(value, schema, old),
    ...checkEmbedded(value, schema),
    ...checkLists(value, schema),
  ];
  if (!hasRules(schema)) return findings;
  return findings.some(blocksRules)
    ? [...findings, RULES_NOT_CHECKED]
    : [...findings, ...checkRules(value, schema, old)];
}

/** An object as it was stored when it was accepted: pruned, with defaults. */
function stored(object: JsonObject, schema: Schema): Json {
  return applyDefaults(pruneUnknown(object, schema).value, schema);
}
