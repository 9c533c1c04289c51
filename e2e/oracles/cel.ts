// The expressions of test/support/cel-expressions.ts put to a real API server: whether each compiles and what it
// costs when it is installed, and what it gives when an object is checked.
import {
  isObject,
  type Json,
  type JsonObject,
  listAt,
  objectAt,
  stringAt,
} from '../../src/core/json.ts';
import { checkDefinition } from '../../src/schema/check-definition.ts';
import type { Schema } from '../../src/schema/open-api-schema.ts';
import { ERRORS, SCHEMA, SELF, VALUES } from '../../test/support/cel-expressions.ts';
import { ApiError, type Cluster } from '../control-plane/cluster.ts';
import { type Difference, differencesOf } from './differences.ts';

export interface Probe {
  readonly expression: string;
  /** True when the value is what we say. */
  readonly rule: string;
  /** What it says when it fails. */
  readonly error?: string;
}

/** Every expression as a rule. */
export const PROBES: readonly Probe[] = [
  ...VALUES.map(([expression, value]) => ({ expression, rule: ruleOf(expression, value) })),
  ...ERRORS.map(([expression, error]) => ({ expression, rule: `dyn(${expression}) == 1`, error })),
];

/** As many rules as one definition may have without costing too much together. */
const AT_ONCE = 6;

/** Where the API server and we differ about expressions. */
export async function celDifferences(cluster: Cluster): Promise<readonly Difference[]> {
  const found: Difference[] = [];
  const installable: Probe[] = [];
  for (const probe of PROBES) {
    const definition = definitionOf('probe', [{ rule: probe.rule }]);
    const theirs = await complaints(cluster.create(definition, { dryRun: 'All' }));
    const ours = checkDefinition(definition).map(({ field, message }) => `${field}: ${message}`);
    found.push(...differencesOf(probe.expression, sorted(theirs), sorted(ours), 'install'));
    if (theirs.length === 0) installable.push(probe);
  }
  for (let start = 0; start < installable.length; start += AT_ONCE) {
    const group = installable.slice(start, start + AT_ONCE);
    found.push(...(await valueDifferences(cluster, `group${start}`, group)));
  }
  return found;
}

async function valueDifferences(
  cluster: Cluster,
  name: string,
  probes: readonly Probe[],
): Promise<readonly Difference[]> {
  const rules = probes.map(({ rule }, index) => ({ rule, message: `rule ${index}.` }));
  const definition = definitionOf(name, rules);
  await cluster.create(definition);
  const said = await checked(cluster, objectAt(definition, 'spec', 'names'));
  return probes.flatMap(({ expression, error }, index) => {
    const about = said.find((message) => message.endsWith(`rule ${index}.`)) ?? 'nothing';
    const isSame = error === undefined ? about === 'nothing' : about.includes(error);
    return isSame
      ? []
      : [{ case: expression, path: 'value', theirs: about, ours: error ?? 'nothing' }];
  });
}

/** What the API server has against the object; a kind that is new is served a moment later. */
async function checked(cluster: Cluster, names: JsonObject): Promise<readonly string[]> {
  const object = {
    apiVersion: 'cel.example.org/v1',
    kind: stringAt(names, 'kind') ?? '',
    metadata: { name: 'probe', namespace: 'default' },
    spec: SELF,
  };
  for (let tries = 0; tries < 100; tries++) {
    try {
      await cluster.create(object, { dryRun: 'All' });
      return [];
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.code !== 404)
        return causesOf(error).map((cause) => stringAt(cause, 'message') ?? '');
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
  throw new Error(`the API server does not serve ${object.kind}`);
}

async function complaints(answer: Promise<unknown>): Promise<readonly string[]> {
  try {
    await answer;
    return [];
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return causesOf(error).map((cause) =>
      [stringAt(cause, 'field'), stringAt(cause, 'message')].join(': '),
    );
  }
}

function causesOf({ status, message }: ApiError): readonly Json[] {
  const causes = listAt(status, 'details', 'causes').filter(isObject);
  return causes.length > 0 ? causes : [{ field: '', message }];
}

function sorted(lines: readonly string[]): readonly string[] {
  return [...lines].sort();
}

function ruleOf(expression: string, value: unknown): string {
  if (value === true) return expression;
  if (value === false) return `!(${expression})`;
  if (value === 'none') return `!(${expression}).hasValue()`;
  if (isObject(value) && Object.hasOwn(value, 'some')) {
    return `(${expression}).value() == ${literal(value['some'])}`;
  }
  return `dyn(${expression}) == dyn(${literal(value)})`;
}

function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const entries = Object.entries(value).map(
    ([key, one]) => `${JSON.stringify(key)}: ${literal(one)}`,
  );
  return `{${entries.join(', ')}}`;
}

function definitionOf(name: string, rules: readonly JsonObject[]) {
  const kind = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  const spec = { ...bounded(SCHEMA), 'x-kubernetes-validations': rules };
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec } } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${name}s.cel.example.org` },
    spec: {
      group: 'cel.example.org',
      names: { kind, listKind: `${kind}List`, plural: `${name}s`, singular: name },
      scope: 'Namespaced',
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  } as JsonObject & { apiVersion: string; kind: string; metadata: JsonObject };
}

/** The schema with bounds on all its texts, lists and maps, without which every rule costs too much. */
function bounded(schema: Schema): JsonObject {
  const { properties, items, additionalProperties, ...rest } = schema;
  const isText = schema.type === 'string' && schema.format === undefined;
  return {
    ...(rest as JsonObject),
    ...(isText ? { maxLength: 20 } : {}),
    ...(items === undefined ? {} : { maxItems: 5, items: bounded(items) }),
    ...(typeof additionalProperties === 'object'
      ? { maxProperties: 5, additionalProperties: bounded(additionalProperties) }
      : {}),
    ...(properties === undefined
      ? {}
      : {
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, child]) => [name, bounded(child)]),
          ),
        }),
  };
}
