// What an XR is rendered among: observed and required resources, schemas, credentials, context.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isObject, type Json, type JsonObject } from '../../core/json.ts';
import { messageOf, refuse } from '../../core/problem.ts';
import { loadManifests, type Manifest, readText } from '../../manifests/load.ts';
import { parseYaml } from '../../manifests/yaml.ts';

export interface Surroundings {
  readonly observed: readonly Manifest[];
  readonly required: readonly Manifest[];
  readonly schemas: readonly JsonObject[];
  readonly credentials: readonly Manifest[];
  readonly context: JsonObject;
}

/** Paths and pairs as they were typed. */
export interface SurroundingPaths {
  readonly observed: readonly string[];
  readonly required: readonly string[];
  readonly schemas: string | undefined;
  readonly credentials: string | undefined;
  /** `KEY=PATH` */
  readonly contextFiles: readonly string[];
  /** `KEY=YAML`; wins over a file. */
  readonly contextValues: readonly string[];
}

/** Reads everything. Throws a ProblemError for what cannot be read. */
export function loadSurroundings(paths: SurroundingPaths): Surroundings {
  return {
    observed: loadManifests(paths.observed),
    required: loadManifests(paths.required),
    schemas: paths.schemas === undefined ? [] : jsonFiles(paths.schemas).map(readSchema),
    credentials: paths.credentials === undefined ? [] : loadManifests([paths.credentials]),
    context: {
      ...contextOf('context-files', paths.contextFiles, (path) => readText(path)),
      ...contextOf('context-values', paths.contextValues, (text) => text),
    },
  };
}

function contextOf(
  option: string,
  pairs: readonly string[],
  read: (value: string) => string,
): JsonObject {
  return Object.fromEntries(
    pairs.map((pair): [string, Json] => {
      const [key, value] = splitPair(option, pair);
      const { documents, problems } = parseYaml(read(value), key);
      const [problem] = problems;
      if (problem !== undefined || documents.length > 1)
        return refuse(
          'CONTEXT_VALUE',
          `the value of context key ${JSON.stringify(key)} is no YAML document: ${problem?.message ?? `found ${documents.length}`}`,
        );
      return [key, documents[0]?.value ?? null];
    }),
  );
}

/** `KEY=VALUE` in two; the value may hold further equals signs. Throws a USAGE problem. */
export function splitPair(option: string, pair: string): readonly [string, string] {
  const at = pair.indexOf('=');
  if (at < 1)
    return refuse('USAGE', `--${option} is ${JSON.stringify(pair)}: expected KEY=VALUE`, {
      hint: 'see celld-stack render --help',
    });
  return [pair.slice(0, at), pair.slice(at + 1)];
}

/** The JSON files of a folder and its folders, sorted; a file stands for itself. */
function jsonFiles(path: string): string[] {
  try {
    if (!statSync(path).isDirectory()) return [path];
    return readdirSync(path, { withFileTypes: true })
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .flatMap((entry) => {
        const child = join(path, entry.name);
        if (entry.isDirectory()) return jsonFiles(child);
        return entry.name.endsWith('.json') ? [child] : [];
      });
  } catch (error) {
    const isGone = (error as { code?: string }).code === 'ENOENT';
    const reason = isGone ? 'no such file or folder' : messageOf(error);
    return refuse('FILE_UNREADABLE', `cannot read ${path}: ${reason}`);
  }
}

function readSchema(path: string): JsonObject {
  try {
    const document: unknown = JSON.parse(readText(path));
    if (isObject(document)) return document;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  return refuse('FILE_UNREADABLE', `${path} is no JSON object: expected an OpenAPI v3 document`);
}
