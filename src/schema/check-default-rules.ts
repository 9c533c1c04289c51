// The rules of a schema against its own defaults. The API server runs them when the definition is
// installed, on each default as it stands: the defaults of the fields within are not filled in first.
import { isObject } from '../core/json.ts';
import { checkRules } from './check-rules.ts';
import { children } from './check-structure.ts';
import type { Finding } from './finding.ts';
import type { Schema } from './open-api-schema.ts';
import { below, definitionFinding, type SchemaPlace } from './schema-place.ts';

/** What keeps a definition from being installed because a default breaks a rule, or a rule misses a field. */
export function checkDefaultRules(schema: Schema, place: SchemaPlace): readonly Finding[] {
  const { default: value } = schema;
  // A transition rule sees the default on both sides.
  const broken = isObject(value)
    ? [...checkRules(value, schema), ...checkRules(value, schema, value)]
    : [];
  return [
    ...broken.map(({ message }) =>
      definitionFinding(below(place, 'default'), 'SCHEMA_REFUSED', withType(message)),
    ),
    ...children(schema, place).flatMap(([child, at]) => checkDefaultRules(child, at)),
  ];
}

/** Of a default the API server names the type, where it shows the value of an object. */
function withType(message: string): string {
  return message.replace(/^Invalid value: (?!"object": )/u, 'Invalid value: "object": ');
}
