// Which observed objects are composed resources of an XR, and which would not be accepted as such.
import type { KubeObject } from '../core/kube-object.ts';
import type { Problem } from '../core/problem.ts';
import { controllerOf } from './composed-object.ts';
import { describeObject, nameOf, namespaceOf, resourceNameOf } from './names.ts';

/** An observed object that does not fit, by its place in the list. */
export interface ObservedProblem {
  readonly index: number;
  readonly problem: Problem;
}

/** True when two objects are one: an observed folder often holds the XR itself, which is passed over. */
export function isSameObject(a: KubeObject, b: KubeObject): boolean {
  return (
    a.kind === b.kind &&
    a.apiVersion === b.apiVersion &&
    nameOf(a) === nameOf(b) &&
    namespaceOf(a) === namespaceOf(b)
  );
}

/** What is wrong with the observed objects, by the rules of the official render and of the composer. */
export function checkObserved(
  xr: KubeObject,
  observed: readonly KubeObject[],
): readonly ObservedProblem[] {
  return observed.flatMap((object, index) => {
    const found = faultOf(xr, object, observed.slice(0, index));
    if (found === undefined) return [];
    const [path, message] = found;
    return [{ index, problem: { code: 'OBSERVED_RESOURCE' as const, path, message } }];
  });
}

type Fault = readonly [path: string, message: string];

function faultOf(
  xr: KubeObject,
  object: KubeObject,
  before: readonly KubeObject[],
): Fault | undefined {
  const what = describeObject(object);
  const controller = controllerOf(object);
  const uid = xr.metadata['uid'];
  if (controller !== undefined && controller !== uid)
    return [
      'metadata.ownerReferences',
      `observed ${what} has a controller ref but is not controlled by the XR: found uid ${JSON.stringify(controller)}, the XR has ${JSON.stringify(uid)}`,
    ];
  const namespace = namespaceOf(xr);
  if (namespace !== '' && namespaceOf(object) !== namespace)
    return [
      'metadata.namespace',
      `observed ${what} is not in the same namespace as the XR: expected ${JSON.stringify(namespace)}`,
    ];
  const key = resourceNameOf(object);
  if (key === undefined)
    return [
      'metadata.annotations',
      `observed ${what} has no annotation crossplane.io/composition-resource-name: expected the name of a composed resource`,
    ];
  const twin = before.find((one) => resourceNameOf(one) === key && !isSameObject(one, object));
  if (twin !== undefined)
    return [
      'metadata.annotations[crossplane.io/composition-resource-name]',
      `Duplicate value: ${JSON.stringify(key)}: ${describeObject(twin)} has it as well`,
    ];
  return undefined;
}
