// The tables of the README: every field of the XRD with type, default and description.

/** The README with its tables written anew from an XRD. Everything outside the markers stays. */
export function readmeTables(readme, definition) {
  const { spec, status } = definition.spec.versions[0].schema.openAPIV3Schema.properties;
  const head = (...cells) => [row(cells), row(cells.map(() => '---'))];
  const tables = {
    spec: [...head('Field', 'Type', 'Default', 'Description'), ...rows(spec, '')],
    status: [...head('Field', 'Type', 'Meaning'), ...rows(status, '', false)],
  };
  return Object.entries(tables).reduce(
    (text, [name, lines]) =>
      text.replace(
        new RegExp(`(<!-- generated: ${name} -->\\n)[\\s\\S]*?(<!-- end -->)`),
        (_all, start, end) => `${start}${lines.join('\n')}\n${end}`,
      ),
    readme,
  );
}

function row(cells) {
  return `| ${cells.join(' | ')} |`;
}

function rows(schema, prefix, defaults = true) {
  return Object.entries(schema.properties).flatMap(([field, child]) => {
    const path = `${prefix}${field}`;
    if (child.properties !== undefined) return rows(child, `${path}.`, defaults);
    const required = (schema.required ?? []).includes(field) ? 'required' : '';
    const initial =
      child.default === undefined
        ? required
        : `\`${JSON.stringify(child.default).replaceAll('"', '')}\``;
    const text = (child.description ?? '').replaceAll('|', '\\|').replace(/\s+/g, ' ').trim();
    const cells = [`\`${path}\``, type(child), ...(defaults ? [initial] : []), text];
    return [row(cells)];
  });
}

function type(schema) {
  if (schema.enum !== undefined) return schema.enum.map((value) => `\`${value}\``).join(', ');
  if (schema.type === 'array') return `list of ${type(schema.items)}`;
  return schema.type;
}
