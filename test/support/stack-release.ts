// From an XR to what Helm is asked to install for it: the Release of a stack that has come to rest.
import { readFileSync } from 'node:fs';
import { projectFile } from '../../src/cli/project.ts';
import { compose } from '../../src/compose/compose.ts';
import { type JsonObject, listAt, objectAt, stringAt, valueAt } from '../../src/core/json.ts';
import type { KubeObject } from '../../src/core/kube-object.ts';
import { parseYaml } from '../../src/manifests/yaml.ts';
import { resourceSchema } from '../../src/schema/resource-schema.ts';
import { CREDENTIALS_FILE } from './chart-modes.ts';
import type { Rendering } from './helm.ts';
import { created, type Resources, ready, valuesOf } from './xr.ts';

/** What Helm is given for an XR, as provider-helm gives it. */
export interface StackRendering extends Rendering {
  /** Arguments for the values that come out of Secrets. */
  readonly set: readonly string[];
}

const definition = readOne('apis/celldstacks/definition.yaml');
const schema = resourceSchema(definition, 'v1alpha1');

/** The XR of a file of examples/celldstacks, with its defaults. */
export function exampleXr(file: string): JsonObject {
  return schema.applyDefaults(readOne(`examples/celldstacks/${file}`));
}

function readOne(path: string): KubeObject {
  const { documents } = parseYaml(readFileSync(projectFile(...path.split('/')), 'utf8'), path);
  return documents[0]?.value as KubeObject;
}

/** What a cluster holds for an XR once every gate is open and everything is ready. */
export function restingResources(xr: JsonObject): Resources {
  let resources: Resources = {};
  for (let pass = 0; pass < 5; pass++) {
    const composed = compose({ xr, resources, required: {} });
    const values = valuesOf(composed);
    resources = Object.fromEntries(
      Object.entries(created(composed)).map(([key, object]) => [key, ready(key, object, values)]),
    );
  }
  return resources;
}

/** The Release of an XR, once every gate is open; undefined where none is composed. */
export function stackRendering(xr: JsonObject): StackRendering | undefined {
  const release = restingResources(xr)['helm-release-celld'];
  if (release === undefined) return undefined;
  const wanted = objectAt(release, 'spec', 'forProvider');
  return {
    release: stringAt(release, 'metadata', 'annotations', 'crossplane.io/external-name') ?? '',
    namespace: stringAt(wanted, 'namespace') ?? '',
    values: objectAt(wanted, 'values'),
    // provider-helm puts a Secret's value behind a name and an equals sign, and Helm parses the whole.
    set: listAt(wanted, 'set').flatMap((entry) =>
      valueAt(entry, 'valueFrom') === undefined
        ? ['--set', `${stringAt(entry, 'name')}=${stringAt(entry, 'value')}`]
        : ['--set', `${stringAt(entry, 'name')}=${CREDENTIALS_FILE}`],
    ),
  };
}
