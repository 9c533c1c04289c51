// Kubernetes YAML: read with positions, printed with fixed options. The only importer of `yaml`.
//
// Kubernetes reads YAML through a Go library that follows YAML 1.1 for booleans (`on`, `yes`, `y`)
// and has no sexagesimal numbers and no timestamps. Reading and printing both keep to that dialect,
// so that a document means the same here and in the API server.
import {
  type Document,
  isNode,
  LineCounter,
  parseAllDocuments,
  type ScalarTag,
  stringify,
} from 'yaml';
import { isObject, type Json, sortKeys } from '../core/json.ts';
import { oneLine, type Place, type Problem } from '../core/problem.ts';

/** One document of a YAML stream, and where its fields stand. */
export interface YamlDocument {
  readonly value: Json;
  /** The place of a field, or of the nearest parent that exists. */
  readonly placeOf: (path: readonly (string | number)[]) => Place;
}

const TRUE = new Set(['y', 'Y', 'yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON']);
const BOOLEANS: ScalarTag = {
  tag: 'tag:yaml.org,2002:bool',
  default: true,
  test: /^(?:y|Y|yes|Yes|YES|true|True|TRUE|on|On|ON|n|N|no|No|NO|false|False|FALSE|off|Off|OFF)$/,
  resolve: (text) => TRUE.has(text),
};

/**
 * Reads a YAML (or JSON) stream. Empty documents are left out. Syntax errors come back as problems
 * with their place; documents that could be read are returned all the same.
 */
export function parseYaml(
  text: string,
  file: string,
): { readonly documents: readonly YamlDocument[]; readonly problems: readonly Problem[] } {
  const lines = new LineCounter();
  const parsed = parseAllDocuments(text, {
    lineCounter: lines,
    merge: true,
    customTags: (tags) => [BOOLEANS, ...tags],
  });
  const documents: YamlDocument[] = [];
  const problems: Problem[] = [];
  for (const document of Array.isArray(parsed) ? parsed : []) {
    for (const error of document.errors) {
      problems.push({
        code: 'YAML_SYNTAX',
        path: '',
        message: oneLine(error.message.replace(/ at line \d+, column \d+:[\s\S]*$/u, '')),
        place: placeAt(file, lines, error.pos[0]),
      });
    }
    if (document.errors.length > 0) continue;
    const value = document.toJS() as Json;
    if (value === null || value === undefined) continue;
    documents.push({ value, placeOf: (path) => placeOfPath(document, path, file, lines) });
  }
  return { documents, problems };
}

function placeOfPath(
  document: Document,
  path: readonly (string | number)[],
  file: string,
  lines: LineCounter,
): Place {
  for (let length = path.length; length >= 0; length--) {
    const node = keyOrValueNode(document, path.slice(0, length));
    if (isNode(node) && node.range) return placeAt(file, lines, node.range[0]);
  }
  return { file };
}

/** The key of a map entry is where a reader looks for a field; an item of a list has only its value. */
function keyOrValueNode(document: Document, path: readonly (string | number)[]): unknown {
  const last = path.at(-1);
  if (last === undefined) return document.contents;
  const parent = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true);
  const items = isObject(parent) ? (parent as { items?: unknown })['items'] : undefined;
  if (!Array.isArray(items)) return undefined;
  if (typeof last === 'number') return items[last];
  const entry = items.find((item: { key?: { value?: unknown } }) => item.key?.value === last);
  return entry?.key;
}

function placeAt(file: string, lines: LineCounter, offset: number): Place {
  const { line, col } = lines.linePos(offset);
  return { file, line, column: col };
}

/** A value as YAML with sorted keys, as kubectl and Crossplane print it, ending in a line break. */
export function printYaml(value: Json): string {
  return stringify(sortKeys(value), {
    version: '1.1',
    indentSeq: false,
    lineWidth: 0,
    aliasDuplicateObjects: false,
  });
}

/** Documents as one stream, each after a `---` line. */
export function printYamlStream(values: readonly Json[]): string {
  return values.map((value) => `---\n${printYaml(value)}`).join('');
}
