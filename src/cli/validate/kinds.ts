// The kinds that are known: from the definitions that were given, our own XRD, and what we ship.
import type { KubeObject } from '../../core/kube-object.ts';
import { claimCrd, isCompositeDefinition } from '../../schema/composite-schema.ts';
import { type KindCatalog, kindCatalog } from '../../schema/kind-catalog.ts';
import {
  type ResourceSchema,
  resourceSchema,
  servedVersions,
} from '../../schema/resource-schema.ts';
import { projectFile } from '../project.ts';

/** True for objects that define kinds. */
export function isDefinition(object: KubeObject): boolean {
  return (
    isCompositeDefinition(object) ||
    (object.kind === 'CustomResourceDefinition' &&
      object.apiVersion.startsWith('apiextensions.k8s.io/'))
  );
}

/** The kinds of some definitions before those that celld-stack ships. */
export function knownKinds(definitions: readonly KubeObject[]): KindCatalog {
  const given = new Map<string, ResourceSchema>();
  for (const definition of definitions.flatMap(withClaims)) {
    for (const version of servedVersions(definition)) {
      const schema = resourceSchema(definition, version);
      given.set(`${schema.apiVersion} ${schema.kind}`, schema);
    }
  }
  const shipped = kindCatalog(projectFile('schemas', 'kinds'));
  return (apiVersion, kind) => given.get(`${apiVersion} ${kind}`) ?? shipped(apiVersion, kind);
}

/** A definition, and behind it that of the claims it offers. */
function withClaims(definition: KubeObject): readonly KubeObject[] {
  const claims = isCompositeDefinition(definition) ? claimCrd(definition) : undefined;
  return claims === undefined ? [definition] : [definition, claims];
}
