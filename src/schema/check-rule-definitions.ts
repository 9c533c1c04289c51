// Whether the rules of a schema compile, and what they cost at worst.
import { AnalysisError, type Variables } from './cel/analysis.ts';
import { analyze } from './cel/analyze.ts';
import { mentions, type Node, parseExpression } from './cel/expression.ts';
import { mostPerRequest, type Type, typeOfSchema } from './cel/type.ts';
import { children } from './check-structure.ts';
import { type Finding, quote } from './finding.ts';
import type { Rule, Schema } from './open-api-schema.ts';
import { isRulePath } from './rule-path.ts';
import { below, definitionFinding, type SchemaPlace } from './schema-place.ts';

/** What an expression costs at worst: once, times how often it can run on one object. */
export interface RuleCost {
  readonly place: SchemaPlace;
  readonly cost: number;
}

export interface CheckedRules {
  readonly findings: readonly Finding[];
  readonly costs: readonly RuleCost[];
}

/** How a part of the schema is reached from its root. */
interface Reach {
  /** How often the part can occur in an object; undefined when nothing bounds it. */
  readonly count: number | undefined;
  /** The part above which old and new values cannot be paired, if there is one. */
  readonly uncorrelated: SchemaPlace | undefined;
}

/** Compiles all rules of a schema. */
export function checkRuleDefinitions(schema: Schema, place: SchemaPlace): CheckedRules {
  return checkNode(schema, place, true, { count: 1, uncorrelated: undefined });
}

function checkNode(
  schema: Schema,
  place: SchemaPlace,
  isRoot: boolean,
  reach: Reach,
): CheckedRules {
  const rules = schema['x-kubernetes-validations'] ?? [];
  const type = rules.length === 0 ? undefined : typeOfSchema(schema, isRoot);
  const own = rules.map((rule, index): CheckedRules => {
    const at = below(place, 'x-kubernetes-validations', index);
    if (type === undefined) {
      const message = 'Forbidden: rules need a schema with a type, and none that hides its values';
      return { findings: [definitionFinding(at, 'RULE_REFUSED', message)], costs: [] };
    }
    const most = reach.count ?? mostPerRequest(schema, isRoot);
    return checkRule(rule, schema, type, at, { ...reach, count: most });
  });
  const inner = children(schema, place).map(([child, at]) =>
    checkNode(
      child,
      at,
      child['x-kubernetes-embedded-resource'] === true,
      step(schema, place, at, reach),
    ),
  );
  const all = [...own, ...inner];
  return {
    findings: all.flatMap(({ findings }) => findings),
    costs: all.flatMap(({ costs }) => costs),
  };
}

/** One step down: through items or values a part can occur as often as the list or map is long. */
function step(schema: Schema, place: SchemaPlace, to: SchemaPlace, reach: Reach): Reach {
  const last = to.path.at(-1);
  const isItem = last === 'items' && to.path.length === place.path.length + 1;
  const isValue = last === 'additionalProperties' && to.path.length === place.path.length + 1;
  const most = isItem ? schema.maxItems : isValue ? schema.maxProperties : 1;
  const pairs = isItem
    ? schema['x-kubernetes-list-type'] === 'map'
    : schema['x-kubernetes-map-type'] !== 'atomic';
  return {
    count: reach.count === undefined || most === undefined ? undefined : reach.count * most,
    uncorrelated: reach.uncorrelated ?? (pairs ? undefined : place),
  };
}

function checkRule(
  rule: Rule,
  schema: Schema,
  type: Type,
  place: SchemaPlace,
  reach: Reach,
): CheckedRules {
  const findings: Finding[] = [];
  const costs: RuleCost[] = [];
  const at = below(place, 'rule');
  if (rule.rule.trim() === '') {
    findings.push(definitionFinding(at, 'RULE_REFUSED', 'Required value: rule is not specified'));
    return { findings, costs };
  }
  const variables = variablesOf(rule, type);
  const compiled = compile(rule.rule, variables, 'bool');
  if ('error' in compiled) {
    const message = `Invalid value: ${ruleText(rule)}: ${compiled.error}`;
    findings.push(definitionFinding(at, 'RULE_REFUSED', message));
  } else {
    costs.push({ place: at, cost: compiled.cost * (reach.count ?? 1) });
    if (reach.uncorrelated !== undefined && mentions(compiled.root, 'oldSelf')) {
      const message = `Invalid value: ${quote(rule.rule)}: oldSelf cannot be used on the uncorrelatable portion of the schema within ${reach.uncorrelated.field}`;
      findings.push(definitionFinding(at, 'RULE_REFUSED', message));
    }
  }
  const spoken = checkMessageExpression(rule, variables, place, reach);
  findings.push(...spoken.findings, ...checkFieldPath(rule, schema, place));
  return { findings, costs: [...costs, ...spoken.costs] };
}

function checkMessageExpression(
  { messageExpression }: Rule,
  variables: Variables,
  place: SchemaPlace,
  reach: Reach,
): CheckedRules {
  if (messageExpression === undefined) return { findings: [], costs: [] };
  const at = below(place, 'messageExpression');
  const compiled = compile(messageExpression, variables, 'string');
  if ('error' in compiled) {
    const message = `Invalid value: ${quote(messageExpression)}: ${compiled.error}`;
    return { findings: [definitionFinding(at, 'RULE_REFUSED', message)], costs: [] };
  }
  return { findings: [], costs: [{ place: at, cost: compiled.cost * (reach.count ?? 1) }] };
}

function checkFieldPath(
  { fieldPath }: Rule,
  schema: Schema,
  place: SchemaPlace,
): readonly Finding[] {
  if (fieldPath === undefined || isRulePath(fieldPath, schema)) return [];
  const message = `Invalid value: ${quote(fieldPath)}: must be a valid path`;
  return [definitionFinding(below(place, 'fieldPath'), 'RULE_REFUSED', message)];
}

function variablesOf({ optionalOldSelf }: Rule, type: Type): Variables {
  const self = { type, cost: 1 };
  const oldSelf: Type = optionalOldSelf === true ? { kind: 'optional', item: type } : type;
  return new Map([
    ['self', self],
    ['oldSelf', { type: oldSelf, cost: 1 }],
  ]);
}

type Compiled = { readonly root: Node; readonly cost: number } | { readonly error: string };

function compile(text: string, variables: Variables, wanted: 'bool' | 'string'): Compiled {
  const parsed = parseExpression(text);
  if ('error' in parsed) return { error: compilationError(text, parsed.error, parsed.at) };
  try {
    const { type, cost } = analyze(parsed.root, variables);
    if (type.kind === wanted || type.kind === 'dyn') return { root: parsed.root, cost };
    return {
      error:
        wanted === 'bool'
          ? 'cel expression must evaluate to a bool'
          : 'messageExpression must evaluate to a string',
    };
  } catch (error) {
    if (!(error instanceof AnalysisError)) throw error;
    return { error: compilationError(text, error.message, error.at) };
  }
}

/** An error with the line it is in and a caret below, as cel-go prints it. */
function compilationError(text: string, message: string, at: number): string {
  if (at < 0) return `program instantiation failed: ${message}`;
  const before = text.slice(0, at).split('\n');
  const column = before.at(-1)?.length ?? 0;
  const line = text.split('\n')[before.length - 1] ?? '';
  return `compilation failed: ERROR: <input>:${before.length}:${column + 1}: ${message}\n | ${line}\n | ${'.'.repeat(column)}^`;
}

/** The rule as the API server shows it: Go's JSON, in which angle brackets are escaped. */
function ruleText(rule: Rule): string {
  const shown = {
    Rule: rule.rule,
    Message: rule.message ?? '',
    MessageExpression: rule.messageExpression ?? '',
    Reason: rule.reason ?? null,
    FieldPath: rule.fieldPath ?? '',
    OptionalOldSelf: rule.optionalOldSelf ?? null,
  };
  return JSON.stringify(shown).replaceAll(
    /[<>&]/gu,
    (char) => `\\u00${char.charCodeAt(0).toString(16)}`,
  );
}
