// Whether a schema is structural, as Kubernetes asks of every custom resource, and its defaults fit it.
import { checkValue } from './check-value.ts';
import { type Finding, quote } from './finding.ts';
import { type Schema, schemaOfValues } from './open-api-schema.ts';
import { compilePattern } from './pattern.ts';
import { below, definitionFinding, type SchemaPlace } from './schema-place.ts';
import { pruneUnknown } from './unknown-fields.ts';

const refused = (place: SchemaPlace, message: string) =>
  definitionFinding(place, 'SCHEMA_REFUSED', message);

/** What keeps a schema from being installed, apart from its rules. */
export function checkStructure(schema: Schema, place: SchemaPlace): readonly Finding[] {
  return checkNode(schema, place, true);
}

function checkNode(schema: Schema, place: SchemaPlace, isRoot: boolean): readonly Finding[] {
  return [
    ...checkCombined(schema, place),
    ...checkShape(schema, place),
    ...checkPattern(schema, place),
    ...checkList(schema, place),
    ...(isRoot ? [] : checkDefault(schema, place)),
    ...children(schema, place).flatMap(([child, at]) => checkNode(child, at, false)),
  ];
}

/** The schemas of properties, values and items with their places. */
export function children(
  schema: Schema,
  place: SchemaPlace,
): readonly (readonly [Schema, SchemaPlace])[] {
  const { items, properties = {} } = schema;
  const values = schemaOfValues(schema);
  return [
    ...Object.entries(properties).map(
      ([name, child]) => [child, below(place, 'properties', name)] as const,
    ),
    ...(values === undefined ? [] : [[values, below(place, 'additionalProperties')] as const]),
    ...(items === undefined ? [] : [[items, below(place, 'items')] as const]),
  ];
}

const FORBIDDEN = [
  '$ref',
  'additionalItems',
  'definitions',
  'dependencies',
  'deprecated',
  'discriminator',
  'id',
  'patternProperties',
  'readOnly',
  'writeOnly',
  'xml',
];
const TYPES = ['array', 'boolean', 'integer', 'number', 'object', 'string'];

function checkShape(schema: Schema, place: SchemaPlace): readonly Finding[] {
  const { type, properties, additionalProperties, items, uniqueItems } = schema;
  const isFree =
    schema['x-kubernetes-int-or-string'] === true ||
    schema['x-kubernetes-preserve-unknown-fields'] === true;
  const at = (key: string) => below(place, key);
  const findings = FORBIDDEN.filter((key) => Object.hasOwn(schema, key)).map((key) =>
    refused(at(key), `Forbidden: ${key} is not supported`),
  );
  if ((type === undefined || type === '') && !isFree) {
    const message = place.path.at(-1) === 'items' ? 'array items' : 'object fields';
    findings.push(
      refused(at('type'), `Required value: must not be empty for specified ${message}`),
    );
  } else if (type !== undefined && type !== '' && !TYPES.includes(type)) {
    const supported = TYPES.map(quote).join(', ');
    findings.push(
      refused(at('type'), `Unsupported value: ${quote(type)}: supported values: ${supported}`),
    );
  }
  if (properties !== undefined && additionalProperties !== undefined) {
    const message = 'Forbidden: additionalProperties and properties are mutual exclusive';
    findings.push(refused(at('additionalProperties'), message));
  } else if (additionalProperties === false) {
    const message = 'Forbidden: additionalProperties cannot be set to false';
    findings.push(refused(at('additionalProperties'), message));
  }
  if (uniqueItems === true) {
    const message =
      'Forbidden: uniqueItems cannot be set to true since the runtime complexity becomes quadratic';
    findings.push(refused(at('uniqueItems'), message));
  }
  if (type === 'array' && items === undefined) {
    findings.push(refused(at('items'), 'Required value: must be specified'));
  }
  return findings;
}

/** Inside allOf, anyOf, oneOf and not a schema says nothing but what values it takes. */
const ONLY_OUTSIDE = [
  'type',
  'default',
  'additionalProperties',
  'nullable',
  'description',
  'title',
];

function checkCombined(schema: Schema, place: SchemaPlace): readonly Finding[] {
  const { allOf = [], anyOf = [], oneOf = [], not } = schema;
  const isIntOrString = schema['x-kubernetes-int-or-string'] === true;
  const listed = (key: string, schemas: readonly Schema[]) =>
    schemas.flatMap((one, i) => checkValueSchema(one, below(place, key, i), isIntOrString));
  return [
    ...listed('allOf', allOf),
    ...listed('anyOf', anyOf),
    ...listed('oneOf', oneOf),
    ...(not === undefined ? [] : checkValueSchema(not, below(place, 'not'), false)),
  ];
}

/** The one exception is the pair of types by which older generators write an int or a string. */
function checkValueSchema(
  schema: Schema,
  place: SchemaPlace,
  isIntOrString: boolean,
): readonly Finding[] {
  const own = ONLY_OUTSIDE.filter((key) => Object.hasOwn(schema, key))
    .filter((key) => !(isIntOrString && key === 'type'))
    .map((key) => refused(below(place, key), 'Forbidden: must be empty to be structural'));
  const inner = children(schema, place).flatMap(([child, at]) =>
    checkValueSchema(child, at, false),
  );
  return [...own, ...checkPattern(schema, place), ...checkCombined(schema, place), ...inner];
}

function checkPattern({ pattern }: Schema, place: SchemaPlace): readonly Finding[] {
  if (pattern === undefined || pattern === '') return [];
  const compiled = compilePattern(pattern);
  if (!('error' in compiled)) return [];
  return [
    refused(
      below(place, 'pattern'),
      `Invalid value: ${quote(pattern)}: must be a valid regular expression, but isn't: ${compiled.error}`,
    ),
  ];
}

function checkList(schema: Schema, place: SchemaPlace): readonly Finding[] {
  const type = schema['x-kubernetes-list-type'];
  const keys = schema['x-kubernetes-list-map-keys'];
  if (type !== undefined && schema.type !== 'array') {
    const message = 'Invalid value: "": must be array if x-kubernetes-list-type is specified';
    return [refused(below(place, 'type'), message)];
  }
  if (type !== 'map') return [];
  const at = below(place, 'x-kubernetes-list-map-keys');
  if (keys === undefined || keys.length === 0) {
    return [refused(at, 'Required value: must not be empty if x-kubernetes-list-type is map')];
  }
  const { items = {} } = schema;
  return keys.flatMap((key) => checkMapKey(items, key, below(place, 'items')));
}

function checkMapKey(items: Schema, key: string, place: SchemaPlace): readonly Finding[] {
  const property = items.properties?.[key];
  const at = below(place, 'properties', key);
  if (property === undefined) {
    return [refused(at, `Required value: must be a property of the items`)];
  }
  if (property.default !== undefined || items.required?.includes(key)) return [];
  return [
    refused(
      below(at, 'default'),
      'Required value: this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property',
    ),
  ];
}

function checkDefault(schema: Schema, place: SchemaPlace): readonly Finding[] {
  const { default: value } = schema;
  if (value === undefined) return [];
  const at = below(place, 'default');
  const pruned = pruneUnknown(value, { ...schema, 'x-kubernetes-embedded-resource': false });
  if (pruned.unknown.length > 0) {
    return [refused(at, `Invalid value: ${JSON.stringify(value)}: must not have unknown fields`)];
  }
  return checkValue(value, schema).map(({ message, path }) => {
    const field =
      path.length === 0 ? at : { path: at.path, field: `${at.field}.${path.join('.')}` };
    return refused(field, message);
  });
}
