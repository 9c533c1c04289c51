// The XRD's schema as TypeScript: interfaces for the compiler, and the checkable part as data.

/** The text of src/api/celld-stack.gen.ts for an XRD. */
export function apiTypes(definition) {
  const { spec, status } = definition.spec.versions[0].schema.openAPIV3Schema.properties;
  const interfaces = [];
  collect('CelldStackSpec', spec, true, interfaces);
  collect('CelldStackStatus', status, false, interfaces);
  const schema = JSON.stringify(bare(spec), null, 2);
  return `// Generated from apis/celldstacks/definition.yaml by \`npm run generate\`. Do not edit.
import type { JsonObject } from '../core/json.ts';

${interfaces.join('\n\n')}

/** Types, defaults and bounds of the spec, without descriptions and rules. */
export const SPEC_SCHEMA = ${schema} as const satisfies JsonObject;
`;
}

/**
 * One interface an object schema. With \`defaulted\`, a field that has a default is always there, as the
 * API server sees to it.
 */
function collect(name, schema, defaulted, out) {
  const at = out.push('') - 1;
  const lines = Object.entries(schema.properties ?? {}).map(([field, child]) => {
    const there =
      (schema.required ?? []).includes(field) || (defaulted && child.default !== undefined);
    const doc = child.description === undefined ? '' : `  /** ${child.description} */\n`;
    return `${doc}  readonly ${field}${there ? '' : '?'}: ${typeOf(name, field, child, defaulted, out)};`;
  });
  out[at] = `export interface ${name} {\n${lines.join('\n')}\n}`;
}

function typeOf(parent, field, schema, defaulted, out) {
  if (schema.enum !== undefined) return schema.enum.map((value) => `'${value}'`).join(' | ');
  switch (schema.type) {
    case 'string':
      return 'string';
    case 'integer':
    case 'number':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'array': {
      const item = typeOf(parent, field, schema.items, defaulted, out);
      return `readonly (${item})[]`;
    }
    default:
      if (schema.properties !== undefined) {
        const name = `${parent.replace(/Spec$/, '')}${field[0].toUpperCase()}${field.slice(1)}`;
        collect(name, schema, defaulted, out);
        return name;
      }
      if (schema.additionalProperties !== undefined) {
        return `{ readonly [key: string]: ${typeOf(parent, field, schema.additionalProperties, defaulted, out)} }`;
      }
      return 'JsonObject';
  }
}

function bare(schema) {
  const kept = [
    'type',
    'enum',
    'default',
    'required',
    'minimum',
    'maximum',
    'minLength',
    'maxLength',
    'pattern',
  ];
  const out = {};
  for (const key of kept) if (schema[key] !== undefined) out[key] = schema[key];
  if (schema.properties !== undefined) {
    out.properties = Object.fromEntries(
      Object.entries(schema.properties).map(([field, child]) => [field, bare(child)]),
    );
  }
  if (schema.items !== undefined) out.items = bare(schema.items);
  if (schema.additionalProperties !== undefined)
    out.additionalProperties = bare(schema.additionalProperties);
  return out;
}
