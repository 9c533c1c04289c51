// docs/reference.md: every field of the XRD with type, default and description.

/** The text of docs/reference.md for an XRD. */
export function referenceTable(definition) {
  const { spec, status } = definition.spec.versions[0].schema.openAPIV3Schema.properties;
  return `# Reference

Generated from [definition.yaml](../apis/celldstacks/definition.yaml) by \`npm run generate\`.

## Spec

| Field | Type | Default | Description |
|---|---|---|---|
${rows(spec, '').join('\n')}

## Status

| Field | Type | Description |
|---|---|---|
${rows(status, '', false).join('\n')}

Conditions: \`StorageReady\`, \`IdentityReady\`, \`ReleaseReady\`, \`FleetReady\` and \`DeletionProtected\`, beside
Crossplane's own \`Ready\`, \`Synced\` and \`Responsive\`. See [conditions.md](conditions.md).
`;
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
    return [`| ${cells.join(' | ')} |`];
  });
}

function type(schema) {
  if (schema.enum !== undefined) return schema.enum.map((value) => `\`${value}\``).join(', ');
  if (schema.type === 'array') return `list of ${type(schema.items)}`;
  return schema.type;
}
