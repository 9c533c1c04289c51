// Ways into what the chart renders: objects by kind, their pods, containers and environment.
import assert from 'node:assert/strict';
import type { JsonObject } from '../../src/core/json.ts';
import { isObject, listAt, objectAt, stringAt, valueAt } from '../../src/core/json.ts';
import type { KubeObject } from '../../src/core/kube-object.ts';

/** The one object of a kind, and of a component when there are more. */
export function one(
  objects: readonly KubeObject[],
  kind: string,
  component = 'celld',
  suffix = '',
): KubeObject {
  const found = objects.filter(
    (object) =>
      object.kind === kind &&
      stringAt(object, 'metadata', 'labels', 'app.kubernetes.io/component') === component &&
      (stringAt(object, 'metadata', 'name') ?? '').endsWith(suffix),
  );
  const [first] = found;
  assert.equal(found.length === 1 && first !== undefined, true, `${found.length} ${kind} objects`);
  return first as KubeObject;
}

export interface Pod {
  readonly owner: KubeObject;
  readonly labels: JsonObject;
  readonly annotations: JsonObject;
  readonly spec: JsonObject;
  /** Init containers first. */
  readonly containers: readonly JsonObject[];
}

/** The pod templates of all workloads. */
export function pods(objects: readonly KubeObject[]): readonly Pod[] {
  return objects
    .filter(({ kind }) => kind === 'StatefulSet' || kind === 'Deployment')
    .map((owner) => podOf(owner));
}

/** The pod template of a workload. */
export function podOf(owner: KubeObject): Pod {
  const spec = objectAt(owner, 'spec', 'template', 'spec');
  return {
    owner,
    labels: objectAt(owner, 'spec', 'template', 'metadata', 'labels'),
    annotations: objectAt(owner, 'spec', 'template', 'metadata', 'annotations'),
    spec,
    containers: [...listAt(spec, 'initContainers'), ...listAt(spec, 'containers')].filter(isObject),
  };
}

/** The container of that name in the fleet's StatefulSet. */
export function fleetContainer(objects: readonly KubeObject[], name = 'celld'): JsonObject {
  const { containers } = podOf(one(objects, 'StatefulSet'));
  const found = containers.find((container) => container['name'] === name);
  assert.ok(found, `no container ${name}`);
  return found;
}

/** Variable to value; what comes from elsewhere is given as its source. */
export function envOf(container: JsonObject): JsonObject {
  return Object.fromEntries(
    listAt(container, 'env').map((entry) => [
      stringAt(entry, 'name') ?? '',
      valueAt(entry, 'value') ?? valueAt(entry, 'valueFrom') ?? null,
    ]),
  );
}

/** Every selector of pods, with the object it stands in. */
export function selectors(
  objects: readonly KubeObject[],
): readonly { readonly owner: KubeObject; readonly labels: JsonObject }[] {
  return objects.flatMap((owner) => {
    const labels =
      valueAt(owner, 'spec', 'selector', 'matchLabels') ??
      valueAt(owner, 'spec', 'podSelector', 'matchLabels') ??
      valueAt(owner, 'spec', 'selector');
    return isObject(labels) ? [{ owner, labels }] : [];
  });
}

/** True when a selector of these labels selects a pod with those. */
export function selects(selector: JsonObject, labels: JsonObject): boolean {
  return Object.entries(selector).every(([key, value]) => labels[key] === value);
}
