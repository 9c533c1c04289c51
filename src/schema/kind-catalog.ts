// The kinds that schemas/kinds knows: what we compose, what we ship, what our chart renders.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { groupOf, type KubeObject } from '../core/kube-object.ts';
import { type ResourceSchema, resourceSchema, servedVersions } from './resource-schema.ts';

/** Finds the schema of a kind; undefined for one it does not know. */
export type KindCatalog = (apiVersion: string, kind: string) => ResourceSchema | undefined;

/** The catalog of a folder of definitions named `kind.group.gen.json`. Each is read when first asked for. */
export function kindCatalog(folder: string): KindCatalog {
  const known = new Map<string, ResourceSchema | undefined>();
  return (apiVersion, kind) => {
    const key = `${apiVersion} ${kind}`;
    if (!known.has(key)) known.set(key, readKind(folder, apiVersion, kind));
    return known.get(key);
  };
}

function readKind(folder: string, apiVersion: string, kind: string): ResourceSchema | undefined {
  const group = groupOf(apiVersion);
  const name = `${kind.toLowerCase()}.${group === '' ? 'core' : group}`;
  const file = join(folder, `${name}.gen.json`);
  if (!/^[a-z0-9.-]+$/u.test(name) || !existsSync(file)) return undefined;
  const definition = JSON.parse(readFileSync(file, 'utf8')) as KubeObject;
  const version = apiVersion.split('/').at(-1) ?? '';
  return servedVersions(definition).includes(version)
    ? resourceSchema(definition, version)
    : undefined;
}
