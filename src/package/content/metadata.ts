// The metadata of a package, held to what Crossplane's linter and its package manager demand, and to
// what they should: a field that Crossplane does not know is silently dropped there and refused here.
import semver from 'semver';
import { type FieldPath, formatFieldPath } from '../../core/field-path.ts';
import {
  isList,
  isObject,
  type Json,
  type JsonObject,
  listAt,
  objectAt,
  stringAt,
  valueAt,
} from '../../core/json.ts';
import type { Problem } from '../../core/problem.ts';
import { isDigest, packageObjectName, parseReference } from '../registry/reference.ts';

type Report = (path: FieldPath, message: string, hint?: string) => void;

/** What an object of the metadata may hold; a list stands for each of its items. */
interface Shape {
  readonly [key: string]: Shape | readonly [Shape] | keyof typeof SCALARS;
}

const isString = (value: Json) => typeof value === 'string';
const SCALARS = {
  string: { fits: isString, must: 'must be a string' },
  strings: {
    fits: (value: Json) => isList(value) && value.every(isString),
    must: 'must be a list of strings',
  },
  map: {
    fits: (value: Json) => isObject(value) && Object.values(value).every(isString),
    must: 'must map names to strings',
  },
} as const;

const DEPENDENCY: Shape = {
  apiVersion: 'string',
  kind: 'string',
  package: 'string',
  version: 'string',
  configuration: 'string',
  function: 'string',
  provider: 'string',
};

const METADATA: Shape = {
  apiVersion: 'string',
  kind: 'string',
  metadata: { name: 'string', annotations: 'map', labels: 'map' },
  spec: {
    crossplane: { version: 'string' },
    dependsOn: [DEPENDENCY],
    capabilities: 'strings',
  },
};

const DNS_LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/u;
const CAPABILITIES = ['composition', 'operation'];

/** The problems of a package's metadata, each with its field. */
export function checkMetadata(
  metadata: JsonObject,
  kind: 'Configuration' | 'Function',
  repository: string,
): readonly Problem[] {
  const problems: Problem[] = [];
  const report: Report = (path, message, hint) =>
    problems.push({
      code: 'PACKAGE_METADATA',
      path: formatFieldPath(path),
      message,
      ...(hint === undefined ? {} : { hint }),
    });
  checkShape(metadata, METADATA, [], report);
  checkHead(metadata, kind, report);
  checkConstraint(metadata, ['spec', 'crossplane', 'version'], report);
  listAt(metadata, 'spec', 'dependsOn').forEach((_, index) => {
    checkDependency(metadata, ['spec', 'dependsOn', index], report);
  });
  checkObjectName(repository, report);
  return problems;
}

function checkShape(value: JsonObject, shape: Shape, path: FieldPath, report: Report): void {
  for (const [key, child] of Object.entries(value)) {
    const wanted = shape[key];
    if (wanted === undefined) {
      report([...path, key], `unknown field ${JSON.stringify(key)}: Crossplane would drop it`);
    } else {
      checkField(child, wanted, [...path, key], report);
    }
  }
}

function checkField(value: Json, wanted: Shape[string], path: FieldPath, report: Report): void {
  if (typeof wanted === 'string') {
    if (!SCALARS[wanted].fits(value)) report(path, `Invalid value: ${SCALARS[wanted].must}`);
  } else if (isItems(wanted)) {
    if (!isList(value)) report(path, 'Invalid value: must be a list');
    else value.forEach((item, index) => void checkField(item, wanted[0], [...path, index], report));
  } else if (isObject(value)) {
    checkShape(value, wanted, path, report);
  } else {
    report(path, 'Invalid value: must be an object');
  }
}

function isItems(wanted: Shape | readonly [Shape]): wanted is readonly [Shape] {
  return Array.isArray(wanted);
}

function checkHead(metadata: JsonObject, kind: string, report: Report): void {
  const apiVersion = stringAt(metadata, 'apiVersion');
  if (apiVersion !== 'meta.pkg.crossplane.io/v1') {
    report(
      ['apiVersion'],
      `Unsupported value: ${JSON.stringify(apiVersion ?? '')}: expected "meta.pkg.crossplane.io/v1"`,
    );
  }
  if (metadata['kind'] !== kind) {
    report(
      ['kind'],
      `Unsupported value: ${JSON.stringify(metadata['kind'] ?? '')}: expected ${JSON.stringify(kind)}`,
    );
  }
  const name = stringAt(metadata, 'metadata', 'name') ?? '';
  if (!DNS_LABEL.test(name)) {
    report(
      ['metadata', 'name'],
      `Invalid value: ${JSON.stringify(name)}: must be a DNS label of at most 63 characters`,
    );
  }
  if (kind !== 'Function') {
    if (valueAt(metadata, 'spec', 'capabilities') !== undefined) {
      report(['spec', 'capabilities'], 'Forbidden: a Configuration has no capabilities');
    }
    return;
  }
  if (!name.startsWith('function-')) {
    report(
      ['metadata', 'name'],
      `Invalid value: ${JSON.stringify(name)}: the name of a function begins with "function-"`,
    );
  }
  const capabilities = listAt(metadata, 'spec', 'capabilities');
  if (!capabilities.includes('composition')) {
    report(
      ['spec', 'capabilities'],
      'Required value: "composition", or no Composition may use the function',
    );
  }
  capabilities.forEach((one, index) => {
    if (!CAPABILITIES.includes(String(one))) {
      report(
        ['spec', 'capabilities', index],
        `Unsupported value: ${JSON.stringify(one)}: supported values: "composition", "operation"`,
      );
    }
  });
}

function checkDependency(metadata: JsonObject, path: FieldPath, report: Report): void {
  const dependency = objectAt(metadata, ...path);
  const old = ['configuration', 'function', 'provider'].filter((key) => key in dependency);
  if (old.length > 0) {
    report(
      [...path, old[0] ?? ''],
      'Forbidden: this form is deprecated',
      'Write apiVersion, kind and package.',
    );
    return;
  }
  for (const key of ['apiVersion', 'kind', 'package']) {
    if (stringAt(dependency, key) === undefined) report([...path, key], 'Required value');
  }
  checkConstraint(metadata, [...path, 'version'], report);
  const name = stringAt(dependency, 'package');
  if (name === undefined) return;
  const at = [...path, 'package'];
  try {
    const { repository, tag, digest } = parseReference(name);
    if (tag !== undefined || digest !== undefined) {
      report(
        at,
        `Invalid value: ${JSON.stringify(name)}: must name a repository without tag or digest`,
      );
    }
    checkObjectName(repository, (_, message) => report(at, message));
  } catch {
    report(at, `Invalid value: ${JSON.stringify(name)}: must name its registry and its repository`);
  }
}

/** Crossplane names a dependency's object after its repository, and cuts what is too long for a name. */
function checkObjectName(repository: string, report: Report): void {
  const { length } = packageObjectName(repository);
  if (length >= 1 && length <= 63) return;
  report(
    ['metadata', 'name'],
    `the repository ${JSON.stringify(repository)} makes an object name of ${length} characters: 1 to 63 can be installed`,
  );
}

function checkConstraint(metadata: JsonObject, path: FieldPath, report: Report): void {
  const text = stringAt(metadata, ...path);
  if (text === undefined) report(path, 'Required value: a version constraint');
  else if (!isDigest(text) && parseConstraint(text) === undefined) {
    report(
      path,
      `Invalid value: ${JSON.stringify(text)}: must be a version constraint such as ">=v1.2.0 <v2.0.0"`,
    );
  }
}

/** A version constraint as Crossplane reads it, where a comma means "and" as a space does; undefined when it is none. */
export function parseConstraint(text: string): semver.Range | undefined {
  try {
    return new semver.Range(text.replaceAll(',', ' '));
  } catch {
    return undefined;
  }
}
