// What an API server would refuse when a definition is installed: no structural schema, rules that do not
// compile or cost too much. A definition that installs is one whose rules run.
import { isObject, listAt, stringAt, valueAt } from '../core/json.ts';
import type { KubeObject } from '../core/kube-object.ts';
import { checkDefaultRules } from './check-default-rules.ts';
import { costFindings } from './check-rule-cost.ts';
import { checkRuleDefinitions } from './check-rule-definitions.ts';
import { checkStructure } from './check-structure.ts';
import { compositeCrd, isCompositeDefinition } from './composite-schema.ts';
import { type Finding, quote, schemaFinding } from './finding.ts';
import type { Schema } from './open-api-schema.ts';
import type { SchemaPlace } from './schema-place.ts';

/**
 * Everything the API server would refuse in a CRD, or in the CRD that Crossplane makes of a
 * CompositeResourceDefinition. The places are those of the definition that was given.
 */
export function checkDefinition(definition: KubeObject): readonly Finding[] {
  const crd = isCompositeDefinition(definition) ? compositeCrd(definition) : definition;
  const versions = listAt(crd, 'spec', 'versions');
  const schemas = versions.flatMap((version, index) => {
    const schema = valueAt(version, 'schema', 'openAPIV3Schema');
    if (!isObject(schema)) return [];
    return checkSchema(schema as Schema, {
      path: ['spec', 'versions', index, 'schema', 'openAPIV3Schema'],
      field:
        versions.length === 1
          ? 'spec.validation.openAPIV3Schema'
          : `spec.versions[${index}].schema.openAPIV3Schema`,
    });
  });
  return [...checkName(definition), ...schemas];
}

/** A definition is called by its plural and its group. */
function checkName(definition: KubeObject): readonly Finding[] {
  const [plural, group] = [
    stringAt(definition, 'spec', 'names', 'plural'),
    stringAt(definition, 'spec', 'group'),
  ];
  const name = stringAt(definition, 'metadata', 'name') ?? '';
  if (plural === undefined || group === undefined || name === `${plural}.${group}`) return [];
  const message = `Invalid value: ${quote(name)}: must be spec.names.plural+"."+spec.group`;
  return [schemaFinding(['metadata', 'name'], 'FieldValueInvalid', message)];
}

function checkSchema(schema: Schema, place: SchemaPlace): readonly Finding[] {
  const structure = checkStructure(schema, place);
  // The API server compiles no rule before the schema is structural.
  if (structure.length > 0) return structure;
  const rules = checkRuleDefinitions(schema, place);
  if (rules.findings.length > 0) return [...rules.findings, ...costFindings(rules.costs, place)];
  return [...checkDefaultRules(schema, place), ...costFindings(rules.costs, place)];
}
