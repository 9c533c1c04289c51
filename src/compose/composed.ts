// What goes into compose and what comes out of it: plain values, no protobuf, no YAML.
import type { JsonObject } from '../core/json.ts';
import type { KubeObject } from '../core/kube-object.ts';

/** What Crossplane knows when it calls the function. */
export interface Observation {
  /** The XR, with defaults, spec and its last status. */
  readonly xr: JsonObject;
  /** The composed resources that exist, by composition-resource-name. */
  readonly resources: { readonly [key: string]: JsonObject };
  /** What an earlier call asked for, by requirement name; absent when it was not asked yet. */
  readonly required: { readonly [name: string]: readonly JsonObject[] };
}

/** A composed resource that shall exist, and whether it is as it should be. */
export interface DesiredResource {
  readonly object: KubeObject;
  readonly ready: boolean;
}

export interface Condition {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  /** CamelCase, for machines. */
  readonly reason: string;
  /** One line for people: which object, what it waits for. */
  readonly message?: string;
}

/** Becomes an event of the XR; a fatal one stops the reconcile and changes nothing. */
export interface Notice {
  readonly severity: 'fatal' | 'warning' | 'normal';
  readonly reason: string;
  readonly message: string;
}

/** Objects to be given to the next call. Matches in all namespaces. */
export interface Requirement {
  readonly apiVersion: string;
  readonly kind: string;
  readonly matchLabels: { readonly [label: string]: string };
}

/**
 * The whole answer. When `notices` holds a fatal one, `resources` is to be ignored and what was
 * desired before stays desired.
 */
export interface Composed {
  readonly resources: { readonly [key: string]: DesiredResource };
  readonly status: JsonObject;
  readonly conditions: readonly Condition[];
  readonly notices: readonly Notice[];
  readonly requirements: { readonly [name: string]: Requirement };
  /** False while a gate is closed: more resources are to come, whatever those that exist say. */
  readonly complete: boolean;
}
