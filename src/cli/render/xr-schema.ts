// Checks an XR the way an API server would before it is rendered, and fills in its defaults.
import { formatFieldPath } from '../../core/field-path.ts';
import { stringAt } from '../../core/json.ts';
import { groupOf, type KubeObject } from '../../core/kube-object.ts';
import { type Place, type Problem, refuse } from '../../core/problem.ts';
import type { Manifest } from '../../manifests/load.ts';
import { checkMetadata, decodeMetadata } from '../../schema/check-metadata.ts';
import { type Finding, schemaFinding } from '../../schema/finding.ts';
import {
  type ResourceSchema,
  resourceSchema,
  servedVersions,
} from '../../schema/resource-schema.ts';
import { fieldHint } from './field-hint.ts';

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
 * What an API server would refuse in an XR, with the place of each field, in the order of the file.
 * Without a schema only its metadata is checked, which every kind has. That rules were not checked
 * because of other faults is left out: those faults are told.
 */
export function xrProblems(
  schema: ResourceSchema | undefined,
  xr: Manifest,
): readonly (Problem & { readonly place: Place })[] {
  const findings = schema === undefined ? metadataFindings(xr.object) : schema.check(xr.object);
  return findings
    .filter(({ code }) => code !== 'RULES_NOT_CHECKED')
    .map(({ code, path, message }) => {
      const hint =
        code === 'FIELD_UNKNOWN' && schema !== undefined
          ? fieldHint(schema.schema, path)
          : undefined;
      return {
        code,
        path: formatFieldPath(path),
        message,
        place: xr.placeOf(path),
        ...(hint === undefined ? {} : { hint }),
      };
    })
    .sort((a, b) => (a.place.line ?? 0) - (b.place.line ?? 0));
}

/** The name of a composite becomes a label value, so its CRD, whoever wrote it, has this bound. */
const MAX_COMPOSITE_NAME = 63;

function metadataFindings(xr: KubeObject): readonly Finding[] {
  const name = stringAt(xr, 'metadata', 'name') ?? '';
  const message = `Too long: may not be more than ${MAX_COMPOSITE_NAME} bytes`;
  return [
    ...decodeMetadata(xr.metadata, ['metadata']),
    ...checkMetadata(xr),
    ...(name.length > MAX_COMPOSITE_NAME
      ? [schemaFinding(['metadata', 'name'], 'FieldValueTooLong', message)]
      : []),
  ];
}

/** An XR with the defaults of its schema. */
export function withDefaults(schema: ResourceSchema, xr: KubeObject): KubeObject {
  const { apiVersion, kind, metadata } = xr;
  return { ...schema.applyDefaults(xr), apiVersion, kind, metadata };
}
