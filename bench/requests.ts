// What the bench sends: the requests Crossplane makes for the examples, with what is observed at a step.
import { projectFile } from '../src/cli/project.ts';
import { type JsonObject, objectAt, stringAt } from '../src/core/json.ts';
import { Capability, type Resource, RunFunctionRequest } from '../src/crossplane/protocol.ts';
import { loadManifests } from '../src/manifests/load.ts';

const KEY = 'crossplane.io/composition-resource-name';

const read = new Map<string, JsonObject[]>();

/** The encoded request for an example at a step of examples/observed, with the XR under another name if wanted. */
export function exampleRequest(example: string, step: string, name?: string): Uint8Array {
  const [xr] = documents('examples', 'celldstacks', `${example}.yaml`);
  const observed = documents('examples', 'observed', example, `${step}.yaml`);
  const resources = observed.map((object): [string, Resource] => [
    stringAt(object, 'metadata', 'annotations', KEY) ?? '',
    resourceOf(object),
  ]);
  const metadata = {
    ...objectAt(xr, 'metadata'),
    uid: '6f9619ff-8b86-d011-b42d-00c04fc964ff',
    ...(name === undefined ? {} : { name }),
  };
  return RunFunctionRequest.encode({
    ...RunFunctionRequest.decode(new Uint8Array()),
    meta: {
      tag: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
      capabilities: [Capability.CAPABILITY_CAPABILITIES, Capability.CAPABILITY_REQUIRED_RESOURCES],
    },
    observed: {
      composite: resourceOf({ ...xr, metadata }),
      resources: Object.fromEntries(resources),
    },
    desired: { composite: undefined, resources: {} },
  }).finish();
}

function resourceOf(object: JsonObject): Resource {
  return { resource: object, connectionDetails: {}, ready: 0 };
}

function documents(...path: readonly string[]): JsonObject[] {
  const file = projectFile(...path);
  const known = read.get(file) ?? loadManifests([file]).map(({ object }) => object);
  read.set(file, known);
  return known;
}
