// A structural schema without what only people read.

const MAPS = ['properties'];
const LISTS = ['allOf', 'anyOf', 'oneOf'];
const SCHEMAS = ['items', 'additionalProperties', 'not'];
const READ_BY_PEOPLE = ['description', 'title', 'example', 'externalDocs'];

/** The schema without descriptions; a property that is called description stays. */
export function bareSchema(schema) {
  if (typeof schema !== 'object') return schema;
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key]) => !READ_BY_PEOPLE.includes(key))
      .map(([key, value]) => [key, part(key, value)]),
  );
}

function part(key, value) {
  if (MAPS.includes(key)) {
    return Object.fromEntries(
      Object.entries(value).map(([name, child]) => [name, bareSchema(child)]),
    );
  }
  if (LISTS.includes(key)) return value.map(bareSchema);
  return SCHEMAS.includes(key) ? bareSchema(value) : value;
}
