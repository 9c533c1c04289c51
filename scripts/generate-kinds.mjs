// Writes schemas/kinds: the schemas of the kinds we compose, ship or render, without their descriptions.
//
//   make schemas CRDS=FOLDER [KUBERNETES=FILE]
//
// FOLDER holds CustomResourceDefinitions and CompositeResourceDefinitions as YAML. FILE is the _definitions.json of kubernetes-json-schema
// (the Kubernetes OpenAPI document as JSON schema). Both are data of their projects, Apache-2.0.
import './prepare.mjs';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bareSchema } from './generate/bare-schema.mjs';
import { BUILTIN_KINDS, builtinDefinition } from './generate/builtin-kinds.mjs';

const target = join(dirname(fileURLToPath(import.meta.url)), '..', 'schemas', 'kinds');
const { compositeCrd } = await import('../build/src/schema/composite-schema.js');
const { parseYaml } = await import('../build/src/manifests/yaml.js');
const [crds, kubernetes] = process.argv.slice(2);
if (!crds) {
  console.error('error: usage: make schemas CRDS=FOLDER [KUBERNETES=FILE]');
  process.exit(2);
}

mkdirSync(target, { recursive: true });
for (const name of readdirSync(crds).sort()) {
  if (!/\.ya?ml$/.test(name)) continue;
  const { documents } = parseYaml(readFileSync(join(crds, name), 'utf8'), name);
  for (const { value } of documents) {
    if (value.kind === 'CustomResourceDefinition') write(bareDefinition(value));
    // The XRD of a kind we compose, as the CRD that Crossplane makes of it.
    if (value.kind === 'CompositeResourceDefinition') write(bareDefinition(compositeCrd(value)));
  }
}
if (kubernetes) {
  const { $defs } = JSON.parse(readFileSync(kubernetes, 'utf8'));
  for (const kind of BUILTIN_KINDS) write(builtinDefinition($defs, kind));
}

/** What validation needs of a CRD. */
function bareDefinition({ apiVersion, kind, metadata, spec }) {
  const versions = spec.versions
    .filter(({ served }) => served)
    .map(({ name, served, storage, schema }) => ({
      name,
      served,
      storage,
      schema: { openAPIV3Schema: bareSchema(schema.openAPIV3Schema) },
    }));
  const { group, names, scope } = spec;
  const { plural, singular } = names;
  return {
    apiVersion,
    kind,
    metadata: { name: metadata.name },
    spec: { group, names: { kind: names.kind, plural, singular }, scope, versions },
  };
}

function write(definition) {
  const { group, names } = definition.spec;
  const file = `${names.kind.toLowerCase()}.${group || 'core'}.gen.json`;
  writeFileSync(join(target, file), `${JSON.stringify(definition)}\n`);
  console.log(`wrote schemas/kinds/${file}`);
}
