// Files, folders and standard input as Kubernetes documents that remember where they came from.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isObject, type Json, listAt, stringAt } from '../core/json.ts';
import { isKubeObject, type KubeObject } from '../core/kube-object.ts';
import { messageOf, type Place, type Problem, ProblemError, refuse } from '../core/problem.ts';
import { parseYaml, type YamlDocument } from './yaml.ts';

/** A resource and the place of each of its fields. */
export interface Manifest {
  readonly object: KubeObject;
  readonly file: string;
  readonly placeOf: (path: readonly (string | number)[]) => Place;
}

export interface LoadOptions {
  /** Whether folders are read with their folders. The official render reads only the direct children. */
  readonly recursive?: boolean;
}

/**
 * The resources of the given files and folders, in the order given; `-` is standard input. A folder
 * gives its `.yaml` and `.yml` files sorted by name. A List gives its items, as `kubectl get -o yaml`
 * prints them. Throws a ProblemError that names every unreadable file and every bad document.
 */
export function loadManifests(paths: readonly string[], options: LoadOptions = {}): Manifest[] {
  const manifests: Manifest[] = [];
  const problems: Problem[] = [];
  for (const file of paths.flatMap((path) => filesOf(path, options.recursive ?? false))) {
    const parsed = parseYaml(readText(file), nameOf(file));
    problems.push(...parsed.problems);
    for (const document of parsed.documents) {
      for (const found of resourcesOf(document, nameOf(file))) {
        if ('code' in found) problems.push(found);
        else manifests.push(found);
      }
    }
  }
  if (problems.length > 0) throw new ProblemError(problems);
  return manifests;
}

/** The text of a file, `-` being standard input. Throws a ProblemError when it cannot be read. */
export function readText(path: string): string {
  try {
    return readFileSync(path === '-' ? 0 : path, 'utf8');
  } catch (error) {
    return refuse('FILE_UNREADABLE', `cannot read ${nameOf(path)}: ${reasonOf(error)}`);
  }
}

/** The files a path stands for: itself, or the YAML files of a folder, sorted by name. */
export function filesOf(path: string, recursive: boolean): string[] {
  if (path === '-') return [path];
  try {
    if (!statSync(path).isDirectory()) return [path];
    return readdirSync(path, { withFileTypes: true })
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .flatMap((entry) => {
        const child = join(path, entry.name);
        if (entry.isDirectory()) return recursive ? filesOf(child, true) : [];
        return /\.ya?ml$/u.test(entry.name) ? [child] : [];
      });
  } catch (error) {
    return refuse('FILE_UNREADABLE', `cannot read ${path}: ${reasonOf(error)}`);
  }
}

function nameOf(path: string): string {
  return path === '-' ? 'stdin' : path;
}

function reasonOf(error: unknown): string {
  const code = (error as { code?: string }).code;
  if (code === 'ENOENT') return 'no such file or folder';
  if (code === 'EACCES') return 'permission denied';
  if (code === 'EISDIR') return 'is a folder';
  return messageOf(error);
}

function resourcesOf(document: YamlDocument, file: string): (Manifest | Problem)[] {
  const { value, placeOf } = document;
  if (isListKind(value)) {
    return listAt(value, 'items').map((item, index) =>
      resourceOf(item, file, (path) => placeOf(['items', index, ...path])),
    );
  }
  return [resourceOf(value, file, placeOf)];
}

function isListKind(value: Json): boolean {
  return (
    isObject(value) &&
    Array.isArray(value['items']) &&
    (stringAt(value, 'kind') ?? '').endsWith('List') &&
    stringAt(value, 'metadata', 'name') === undefined
  );
}

function resourceOf(value: Json, file: string, placeOf: Manifest['placeOf']): Manifest | Problem {
  if (isKubeObject(value)) return { object: value, file, placeOf };
  const missing = ['apiVersion', 'kind', 'metadata'].find(
    (field) => !isObject(value) || value[field] === undefined || value[field] === '',
  );
  return {
    code: 'NOT_A_RESOURCE',
    path: missing ?? '',
    message:
      missing === undefined
        ? 'found a document whose apiVersion, kind or metadata has the wrong type: expected a Kubernetes resource'
        : 'Required value: a Kubernetes resource has apiVersion, kind and metadata',
    place: placeOf([]),
  };
}
