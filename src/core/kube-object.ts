// What every Kubernetes object has in common.
import { isObject, type Json, type JsonObject, stringAt } from './json.ts';

export interface KubeObject extends JsonObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: JsonObject;
}

/** True when a value has apiVersion, kind and a metadata object: the least a resource needs. */
export function isKubeObject(value: Json | undefined): value is KubeObject {
  return (
    isObject(value) &&
    stringAt(value, 'apiVersion') !== undefined &&
    stringAt(value, 'kind') !== undefined &&
    isObject(value['metadata'])
  );
}

/** The group of an apiVersion: empty for the core group. */
export function groupOf(apiVersion: string): string {
  return apiVersion.includes('/') ? (apiVersion.split('/')[0] ?? '') : '';
}
