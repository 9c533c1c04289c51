// This project's own XRD, Composition and function, for commands that are given none.
import { stringAt, valueAt } from '../core/json.ts';
import { isKubeObject } from '../core/kube-object.ts';
import { sha256Hex } from '../core/sha256.ts';
import type { RunFunction } from '../crossplane/function-call.ts';
import { loadManifests, type Manifest, readText } from '../manifests/load.ts';
import { functionOf } from '../server/function-of.ts';
import { decodeRequest } from '../server/wire/decode-request.ts';
import { encodeResponse } from '../server/wire/encode-response.ts';
import { projectFile } from './project.ts';

/**
 * The functions that run in this process: by the name a Composition refers to, or by the repository
 * of the Function's package, which is another name where the package was mirrored.
 */
export type OwnFunctions = (name: string, repository: string) => RunFunction | undefined;

/** What Crossplane names our function package: the DNS label of its repository. */
const FUNCTION_NAME = 'hops-ops-function-celld-stack';

/** The repository of our function package, whatever registry and organization it was mirrored to. */
const FUNCTION_REPOSITORY = /(?:^|\/)function-celld-stack$/u;

const answer = functionOf((error) => {
  throw error;
});

/** Our function in this process, with the messages it would get over the wire. */
const ownFunction: RunFunction = async (request) => encodeResponse(answer(decodeRequest(request)));

/** True for our function: by its name, or by the repository of its package. */
export function isOurFunction(name: string, repository: string): boolean {
  return name === FUNCTION_NAME || FUNCTION_REPOSITORY.test(repository);
}

/** Our function and no other. */
export const ownFunctions: OwnFunctions = (name, repository) =>
  isOurFunction(name, repository) ? ownFunction : undefined;

/**
 * Our XRD: from the JSON that was generated of it, when that is of this very text, else from the YAML
 * itself, which takes a hundred times as long to read.
 */
export function ownXrd(): Manifest {
  const file = projectFile('apis', 'celldstacks', 'definition.yaml');
  const made: unknown = JSON.parse(
    readText(projectFile('schemas', 'celldstack.definition.gen.json')),
  );
  const object = valueAt(made, 'definition');
  const isFresh = stringAt(made, 'sha256') === sha256Hex(readText(file));
  if (isFresh && isKubeObject(object)) return { object, file, placeOf: () => ({ file }) };
  return only('definition.yaml');
}

/** Our Composition. */
export function ownComposition(): Manifest {
  return only('composition.yaml');
}

function only(file: string): Manifest {
  const [manifest] = loadManifests([projectFile('apis', 'celldstacks', file)]);
  if (manifest === undefined) throw new TypeError(`apis/celldstacks/${file} is empty`);
  return manifest;
}
