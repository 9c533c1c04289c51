// How a Function object says its function is reached. Docker is the official default; here it is none.
import { objectAt, stringAt } from '../core/json.ts';
import { groupOf, type KubeObject } from '../core/kube-object.ts';

/** Where the official render listens for a function under development. */
const DEFAULT_TARGET = 'localhost:9443';

export interface FunctionRuntime {
  readonly name: string;
  /** The image the function is in, without tag and digest. */
  readonly repository: string;
  readonly runtime: string;
  /** Of a Development runtime: `host:port`. */
  readonly target: string;
}

/** True for a Function package object. */
export function isFunction(object: KubeObject): boolean {
  return object.kind === 'Function' && groupOf(object.apiVersion) === 'pkg.crossplane.io';
}

/** Reads the annotations of a Function; `overrides` are set on every Function. */
export function functionRuntime(
  object: KubeObject,
  overrides: { readonly [annotation: string]: string },
): FunctionRuntime {
  const annotations = { ...objectAt(object, 'metadata', 'annotations'), ...overrides };
  const image = stringAt(object, 'spec', 'package') ?? '';
  return {
    name: stringAt(object, 'metadata', 'name') ?? '',
    repository: image.replace(/@.*$/u, '').replace(/:[^/]*$/u, ''),
    runtime: stringAt(annotations, 'render.crossplane.io/runtime') ?? 'Docker',
    target:
      stringAt(annotations, 'render.crossplane.io/runtime-development-target') ?? DEFAULT_TARGET,
  };
}
