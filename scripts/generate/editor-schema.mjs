// The XRD as a JSON schema for editors: yaml-language-server completes, explains and checks with it.

/** The text of schemas/celldstack.schema.json for the CRD that Crossplane makes of the XRD. */
export function editorSchema(crd) {
  const { group, names, versions } = crd.spec;
  const [{ name: version, schema }] = versions;
  const { properties, required, description } = schema.openAPIV3Schema;
  const identity = {
    apiVersion: { const: `${group}/${version}`, description: `${group}/${version}` },
    kind: { const: names.kind, description: names.kind },
  };
  const document = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: names.kind,
    description,
    // A file may hold other kinds beside the XR; they are none of this schema's business.
    if: { properties: { kind: identity.kind }, required: ['kind'] },
    // biome-ignore lint/suspicious/noThenProperty: JSON schema calls it so
    then: {
      type: 'object',
      required: ['apiVersion', 'kind', 'metadata', ...required],
      properties: {
        ...identity,
        metadata: metadataSchema(properties.metadata),
        spec: toJsonSchema(properties.spec),
        status: { ...toJsonSchema(properties.status), description: 'Written by Crossplane.' },
      },
      additionalProperties: false,
    },
  };
  return `${JSON.stringify(document, undefined, 2)}\n`;
}

function metadataSchema({ properties }) {
  const texts = { type: 'object', additionalProperties: { type: 'string' } };
  return {
    type: 'object',
    properties: {
      name: toJsonSchema(properties.name),
      generateName: { type: 'string' },
      namespace: { type: 'string', maxLength: 63 },
      labels: texts,
      annotations: texts,
    },
  };
}

const KEPT = [
  'description',
  'default',
  'enum',
  'required',
  'minLength',
  'maxLength',
  'pattern',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
  'minimum',
  'maximum',
  'multipleOf',
];

/** A structural schema as JSON schema: objects are closed, as the API server drops what they do not declare. */
function toJsonSchema(schema) {
  const out = typeOf(schema);
  for (const key of KEPT) if (schema[key] !== undefined) out[key] = schema[key];
  const rules = (schema['x-kubernetes-validations'] ?? []).map(({ message }) => message);
  if (rules.length > 0) {
    out.description = [out.description, ...rules.map((rule) => `Rule: ${rule}.`)].join('\n\n');
  }
  if (schema.items) out.items = toJsonSchema(schema.items);
  if (schema.properties) {
    out.properties = Object.fromEntries(
      Object.entries(schema.properties).map(([name, child]) => [name, toJsonSchema(child)]),
    );
  }
  if (typeof schema.additionalProperties === 'object') {
    out.additionalProperties = toJsonSchema(schema.additionalProperties);
  } else if (schema.properties && !schema['x-kubernetes-preserve-unknown-fields']) {
    out.additionalProperties = false;
  }
  for (const key of ['allOf', 'anyOf', 'oneOf']) {
    if (schema[key]) out[key] = schema[key].map(toJsonSchema);
  }
  return out;
}

function typeOf(schema) {
  if (schema['x-kubernetes-int-or-string']) return { type: ['integer', 'string'] };
  if (schema.type === undefined) return {};
  return { type: schema.nullable ? [schema.type, 'null'] : schema.type };
}
