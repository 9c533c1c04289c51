// The smallest valid XR, so that a test shows only what it is about; and a cluster that holds what was composed.
import { compose } from '../../src/compose/compose.ts';
import type { Composed, Observation } from '../../src/compose/composed.ts';
import type { JsonObject } from '../../src/core/json.ts';

export const XR_UID = '11111111-1111-4111-8111-111111111111';

/** A CelldStack `demo` in namespace `team-a` with this spec. */
export function xr(spec: JsonObject = {}, metadata: JsonObject = {}): JsonObject {
  return {
    apiVersion: 'hops.ops.com.ai/v1alpha1',
    kind: 'CelldStack',
    metadata: { name: 'demo', namespace: 'team-a', uid: XR_UID, ...metadata },
    spec: { clusterName: 'hub', ...spec },
  };
}

export type Resources = Record<string, JsonObject>;

/** The first answer to an XR, of which nothing exists yet. */
export function composeFirst(spec: JsonObject = {}, metadata: JsonObject = {}): Composed {
  return compose({ xr: xr(spec, metadata), resources: {}, required: {} });
}

/** The answer to an XR whose resources are there. */
export function composeWith(spec: JsonObject, resources: Observation['resources']): Composed {
  return compose({ xr: xr(spec), resources, required: {} });
}

/** The composed resources as a cluster holds them right after they were made: without a status. */
export function created(composed: Composed): Resources {
  return Object.fromEntries(
    Object.entries(composed.resources).map(([key, { object }]) => [
      key,
      {
        ...object,
        metadata: {
          ...object.metadata,
          namespace: 'team-a',
          uid: `uid-of-${key}`,
          generation: 1,
          creationTimestamp: '2026-01-01T00:00:00Z',
        },
      },
    ]),
  );
}

const TRUE = (type: string): JsonObject => ({ type, status: 'True', reason: 'Available' });

/** The same object, ready by every measure there is. */
export function ready(key: string, object: JsonObject, values: JsonObject = {}): JsonObject {
  const conditions = [TRUE('Ready'), { ...TRUE('Synced'), observedGeneration: 1 }];
  return { ...object, status: { conditions, ...statusOf(key, object, values) } };
}

function statusOf(key: string, object: JsonObject, values: JsonObject): JsonObject {
  switch (key) {
    case 's3-bucket':
      return { atProvider: { id: 'the-bucket', arn: 'arn:aws:s3:::the-bucket' } };
    case 'helm-release-celld':
      return { atProvider: { state: 'deployed', revision: 1, version: '0.3.1' } };
    case 'pod-identity':
      return {
        podIdentity: {
          role: { arn: 'arn:aws:iam::111122223333:role/demo', ready: true },
          association: { id: 'a-1', ready: true },
        },
      };
    case 'fleet':
      return { atProvider: { manifest: statefulSet(object, values) } };
    default:
      return {};
  }
}

function statefulSet(object: JsonObject, values: JsonObject): JsonObject {
  const { manifest } = (object['spec'] as { forProvider: { manifest: JsonObject } }).forProvider;
  const image = values['image'] as { repository: string; tag: string } | undefined;
  const replicas = values['replicaCount'] ?? 1;
  return {
    ...manifest,
    metadata: {
      ...(manifest['metadata'] as JsonObject),
      generation: 1,
      annotations: { 'hops.ops.com.ai/expectation': values['expectation'] ?? '' },
    },
    spec: {
      replicas,
      template: {
        spec: {
          containers: [{ name: 'celld', image: `${image?.repository}:${image?.tag}` }],
        },
      },
    },
    status: {
      observedGeneration: 1,
      replicas,
      readyReplicas: replicas,
      updatedReplicas: replicas,
    },
  };
}

/**
 * A cluster in which the stack has come to rest: pass after pass, everything composed is there and ready,
 * until nothing new is composed.
 */
export function atRest(spec: JsonObject): Resources {
  let resources: Resources = {};
  for (let pass = 0; pass < 5; pass++) {
    const composed = composeWith(spec, resources);
    const values = valuesOf(composed);
    resources = Object.fromEntries(
      Object.entries(created(composed)).map(([key, object]) => [key, ready(key, object, values)]),
    );
  }
  return resources;
}

/** The values of the composed Release, or none. */
export function valuesOf(composed: Composed): JsonObject {
  const release = composed.resources['helm-release-celld']?.object;
  const spec = release?.['spec'] as { forProvider?: { values?: JsonObject } } | undefined;
  return spec?.forProvider?.values ?? {};
}
