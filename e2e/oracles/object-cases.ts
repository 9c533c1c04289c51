// Objects of Crossplane's and the providers' kinds out of the tests' files: what is composed, and what is broken.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type JsonObject, objectAt, stringAt } from '../../src/core/json.ts';
import { groupOf, isKubeObject, type KubeObject } from '../../src/core/kube-object.ts';
import { parseYaml } from '../../src/manifests/yaml.ts';
import { projectFile } from '../control-plane/folders.ts';
import type { XrCase } from './xr-cases.ts';

/** Custom resources; the metadata of packages is never applied to a cluster. */
const CUSTOM = /^(?!meta\.).*(?:crossplane\.io|upbound\.io|hops\.ops\.com\.ai)$/u;

/** The objects of goldens and of deliberately broken files, each as it would be created. */
export function objectCases(namespace: string): readonly XrCase[] {
  return [...yamlFiles('test', 'cases'), ...yamlFiles('test', 'data', 'broken')].flatMap((file) =>
    casesIn(file, namespace).filter(({ xr }) => isCustom(xr)),
  );
}

/** What the chart renders in each mode; Helm puts it into the namespace of the release. */
export function chartCases(namespace: string): readonly XrCase[] {
  return yamlFiles('test', 'chart', 'expected').flatMap((file) =>
    casesIn(file, namespace).map(({ xr, ...one }) => ({
      ...one,
      xr: { ...xr, metadata: { ...objectAt(xr, 'metadata'), namespace } },
    })),
  );
}

/** True for custom resources: of Kubernetes' own kinds the schema is not all that is filled in and checked. */
export function isCustom(object: JsonObject): boolean {
  return CUSTOM.test(groupOf(stringAt(object, 'apiVersion') ?? ''));
}

function casesIn(file: string, namespace: string): readonly XrCase[] {
  return parseYaml(readFileSync(projectFile(file), 'utf8'), file)
    .documents.map(({ value }) => value)
    .filter(isKubeObject)
    .map((object) => ({ name: file, why: object.kind, xr: created(object, namespace) }));
}

function yamlFiles(...folder: readonly string[]): readonly string[] {
  return readdirSync(projectFile(...folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.yaml$/u.test(name) && !/(?:^|[\\/])case\.yaml$/u.test(name))
    .map((name) => join(...folder, name))
    .sort();
}

/** Without what only a stored object has; status is not part of what is created. */
function created({ status: _, ...object }: KubeObject, namespace: string): JsonObject {
  const {
    uid: __,
    resourceVersion: ___,
    ownerReferences: ____,
    ...metadata
  } = objectAt(object, 'metadata');
  return {
    ...object,
    metadata: metadata['namespace'] === undefined ? metadata : { ...metadata, namespace },
  };
}
