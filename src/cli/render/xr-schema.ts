// Checks an XR the way an API server would before it is rendered, and fills in its defaults.
import { formatFieldPath } from '../../core/field-path.ts';
import { stringAt } from '../../core/json.ts';
import { groupOf, type KubeObject } from '../../core/kube-object.ts';
import { type Problem, refuse } from '../../core/problem.ts';
import type { Manifest } from '../../manifests/load.ts';
import {
  type ResourceSchema,
  resourceSchema,
  servedVersions,
} from '../../schema/resource-schema.ts';

/** The schema the XRD has for XRs of this type. Throws a ProblemError when it defines another type. */
export function xrSchema(
  xrd: Manifest,
  composite: { readonly apiVersion: string; readonly kind: string },
): ResourceSchema {
  const group = stringAt(xrd.object, 'spec', 'group') ?? '';
  const kind = stringAt(xrd.object, 'spec', 'names', 'kind') ?? '';
  const versions = servedVersions(xrd.object);
  const version = composite.apiVersion.slice(composite.apiVersion.lastIndexOf('/') + 1);
  const found = `${kind} in ${group} (${versions.join(', ')})`;
  const wanted = `${composite.kind} in ${composite.apiVersion}`;
  if (
    kind !== composite.kind ||
    group !== groupOf(composite.apiVersion) ||
    !versions.includes(version)
  )
    refuse('XRD_MISMATCH', `the XRD defines ${found}: expected ${wanted}`, {
      path: 'spec',
      place: xrd.placeOf(['spec']),
    });
  return resourceSchema(xrd.object, version);
}

/**
 * What an API server would refuse in an XR, with the place of each field. That it did not get to the
 * rules because of other faults is left out: those faults are told. In the order of the file.
 */
export function xrProblems(schema: ResourceSchema, xr: Manifest): readonly Problem[] {
  return schema
    .check(xr.object)
    .filter(({ code }) => code !== 'RULES_NOT_CHECKED')
    .map(({ code, path, message }) => ({
      code,
      path: formatFieldPath(path),
      message,
      place: xr.placeOf(path),
    }))
    .sort((a, b) => compareNumbers(a.place.line, b.place.line));
}

function compareNumbers(a = 0, b = 0): number {
  return a - b;
}

/** An XR with the defaults of its schema. */
export function withDefaults(schema: ResourceSchema, xr: KubeObject): KubeObject {
  const { apiVersion, kind, metadata } = xr;
  return { ...schema.applyDefaults(xr), apiVersion, kind, metadata };
}
