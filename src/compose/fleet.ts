// What is asked of the fleet, and what it answers.
//
// provider-kubernetes looks at a ready Object every ten minutes, at an unready one every 30 seconds,
// and at once when its spec changes. So the question itself goes into the spec: as soon as the stack
// wants something else of the fleet, the Object is unready, is looked at within seconds and stays
// under watch until the wish is true.
import {
  isObject,
  type JsonObject,
  listAt,
  numberAt,
  objectAt,
  stringAt,
  valueAt,
} from '../core/json.ts';
import { isSynced } from './observed.ts';

/** The annotation by which the chart shows which values have arrived. */
const EXPECTATION = 'hops.ops.com.ai/expectation';

export interface Expectation {
  readonly replicas: number;
  readonly image?: string;
  /** The value of the annotation, for charts that write it. */
  readonly mark?: string;
}

/** What the merged values ask of the StatefulSet. */
export function expectationOf(values: JsonObject, ownChart: boolean): Expectation {
  const repository = stringAt(values, 'image', 'repository');
  const tag = stringAt(values, 'image', 'tag');
  const mark = ownChart ? stringAt(values, 'expectation') : undefined;
  return {
    replicas: numberAt(values, 'replicaCount') ?? 1,
    ...(repository === undefined || tag === undefined ? {} : { image: `${repository}:${tag}` }),
    ...(mark === undefined ? {} : { mark }),
  };
}

/** The question as a CEL expression over `object`, the StatefulSet. Absent fields count as not yet. */
export function celQueryOf({ replicas, image, mark }: Expectation): string {
  const text = (value: string) => JSON.stringify(value);
  return [
    'has(object.status)',
    'has(object.status.observedGeneration)',
    'object.status.observedGeneration == object.metadata.generation',
    `object.spec.replicas == ${replicas}`,
    'has(object.status.readyReplicas)',
    `object.status.readyReplicas == ${replicas}`,
    'has(object.status.updatedReplicas)',
    `object.status.updatedReplicas == ${replicas}`,
    ...(image === undefined
      ? []
      : [`object.spec.template.spec.containers.exists(c, c.image == ${text(image)})`]),
    ...(mark === undefined
      ? []
      : [
          'has(object.metadata.annotations)',
          `${text(EXPECTATION)} in object.metadata.annotations`,
          `object.metadata.annotations[${text(EXPECTATION)}] == ${text(mark)}`,
        ]),
  ].join(' && ');
}

/** What is known of the fleet. */
export interface FleetAnswer {
  /** True when the observation answers the question that is asked now. */
  readonly current: boolean;
  /** True when it is current and everything asked for is so. */
  readonly asAsked: boolean;
  /** True when the StatefulSet carries all that was asked, whatever its pods do. */
  readonly arrived: boolean;
  readonly replicas?: number;
  readonly readyReplicas?: number;
  readonly updatedReplicas?: number;
  /** Image tag of the pod template. */
  readonly version?: string;
}

/** Reads the observed fleet Object against the question. Trusts nothing that answers another one. */
export function fleetAnswer(object: JsonObject | undefined, expectation: Expectation): FleetAnswer {
  const manifest = objectAt(object, 'status', 'atProvider', 'manifest');
  const seen = valueAt(manifest, 'spec') !== undefined;
  const asked = stringAt(object, 'spec', 'readiness', 'celQuery') === celQueryOf(expectation);
  const current = seen && asked && isSynced(object);
  const replicas = numberAt(manifest, 'spec', 'replicas');
  const readyReplicas = seen ? (numberAt(manifest, 'status', 'readyReplicas') ?? 0) : undefined;
  const updatedReplicas = seen ? (numberAt(manifest, 'status', 'updatedReplicas') ?? 0) : undefined;
  const arrived = current && hasArrived(manifest, expectation);
  const all = (count: number | undefined) => count === expectation.replicas;
  const version = imagesOf(manifest)
    .map((image) => versionIn(image, expectation.image))
    .find((tag) => tag !== undefined);
  return {
    current,
    arrived,
    asAsked: arrived && all(readyReplicas) && all(updatedReplicas),
    ...(replicas === undefined ? {} : { replicas }),
    ...(readyReplicas === undefined ? {} : { readyReplicas }),
    ...(updatedReplicas === undefined ? {} : { updatedReplicas }),
    ...(version === undefined ? {} : { version }),
  };
}

function hasArrived(manifest: JsonObject, { replicas, image, mark }: Expectation): boolean {
  return (
    numberAt(manifest, 'spec', 'replicas') === replicas &&
    numberAt(manifest, 'status', 'observedGeneration') ===
      numberAt(manifest, 'metadata', 'generation') &&
    (image === undefined || imagesOf(manifest).includes(image)) &&
    (mark === undefined || stringAt(manifest, 'metadata', 'annotations', EXPECTATION) === mark)
  );
}

/**
 * True when the template of the StatefulSet has an image of that tag, the controller has seen it, and
 * every pod was made from it. Independent of the question asked, since the answer decides about it.
 */
export function allPodsRun(tag: string, object: JsonObject | undefined): boolean {
  const manifest = objectAt(object, 'status', 'atProvider', 'manifest');
  const generation = numberAt(manifest, 'metadata', 'generation');
  const replicas = numberAt(manifest, 'spec', 'replicas');
  return (
    imagesOf(manifest).some((image) => image.endsWith(`:${tag}`)) &&
    generation !== undefined &&
    generation === numberAt(manifest, 'status', 'observedGeneration') &&
    replicas !== undefined &&
    replicas === numberAt(manifest, 'status', 'updatedReplicas')
  );
}

function imagesOf(manifest: JsonObject): readonly string[] {
  return listAt(manifest, 'spec', 'template', 'spec', 'containers')
    .filter(isObject)
    .map((container) => stringAt(container, 'image'))
    .filter((image) => image !== undefined);
}

/** The tag of an image of the same repository as the wanted one, without a digest. */
function versionIn(image: string, wanted: string | undefined): string | undefined {
  const parts = (text: string) => /^(.*?)(?::([^:/]+))?$/u.exec(text.replace(/@.*$/u, ''));
  const [, repository, tag] = parts(image) ?? [];
  return wanted === undefined || parts(wanted)?.[1] === repository ? tag : undefined;
}
