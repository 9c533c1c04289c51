// The x-kubernetes-validations rules of a schema against an object, and against the object it replaces.
import type { FieldPath } from '../core/field-path.ts';
import { isList, isObject, type Json, type JsonObject, sameJson } from '../core/json.ts';
import { evaluate, type Scope } from './cel/evaluate.ts';
import { mentions, type Parsed, parseExpression } from './cel/expression.ts';
import { CelError } from './cel/function-row.ts';
import { typeOfSchema } from './cel/type.ts';
import { toValue, type Value } from './cel/value.ts';
import { correlatedItem, correlatedKey } from './correlate.ts';
import { type Finding, quote, type Reason, valueText } from './finding.ts';
import { type Rule, type Schema, schemaOfValues } from './open-api-schema.ts';
import { remember } from './remember.ts';
import { type RulePath, readRulePath } from './rule-path.ts';

/** A part of the object, its place, and the part of the old object it replaces. */
interface Part {
  readonly value: Json;
  readonly old: Json | undefined;
  readonly path: FieldPath;
  readonly field: string;
  readonly isRoot: boolean;
  /** True for what an update leaves as it was: only transition rules can refuse it. */
  readonly isUnchanged: boolean;
}

/** The rules an object breaks. Transition rules apply where there is an old value to compare with. */
export function checkRules(object: JsonObject, schema: Schema, old?: Json): readonly Finding[] {
  const isUnchanged = old !== undefined && sameJson(object, old);
  return checkPart(
    { value: object, old, path: [], field: '', isRoot: true, isUnchanged },
    schema,
    schema,
  );
}

/** True when a schema has rules anywhere. */
export const hasRules: (schema: Schema) => boolean = remember((schema) => {
  const { items, properties, allOf = [], 'x-kubernetes-validations': rules = [] } = schema;
  const values = schemaOfValues(schema);
  const parts = [...allOf, ...Object.values(properties ?? {}), ...[items, values]];
  return rules.length > 0 || parts.some((part) => part !== undefined && hasRules(part));
});

/** False for schemas whose values no expression can see. */
const isVisible = remember((schema: Schema) => typeOfSchema(schema) !== undefined);

/** Rules stand in a schema, or in an allOf beside the properties they speak of: hence two schemas. */
function checkPart(part: Part, schema: Schema, rules: Schema): readonly Finding[] {
  if (part.value === null || !hasRules(rules)) return [];
  return [
    ...(rules['x-kubernetes-validations'] ?? []).flatMap((rule) => checkRule(part, schema, rule)),
    ...(rules.allOf ?? []).flatMap((one) => checkPart(part, schema, one)),
    ...checkItems(part, schema, rules),
    ...checkKeys(part, schema, rules),
  ];
}

function checkItems(part: Part, schema: Schema, rules: Schema): readonly Finding[] {
  const { items } = schema;
  const itemRules = rules.items;
  if (!isList(part.value) || items === undefined || itemRules === undefined) return [];
  return part.value.flatMap((value, index) => {
    const old = correlatedItem(schema, value, part.old);
    const place = { path: [...part.path, index], field: `${part.field}[${index}]` };
    return checkPart(child(part, value, old, items, place), items, itemRules);
  });
}

function checkKeys(part: Part, schema: Schema, rules: Schema): readonly Finding[] {
  if (!isObject(part.value)) return [];
  const isAtomic = schema['x-kubernetes-map-type'] === 'atomic';
  const values = schemaOfValues(schema);
  return Object.entries(part.value).flatMap(([key, value]) => {
    const keySchema = ownProperty(schema, key) ?? values;
    const keyRules = ownProperty(rules, key) ?? schemaOfValues(rules);
    if (keySchema === undefined || keyRules === undefined) return [];
    if (!isVisible(keySchema)) return [];
    const old = isAtomic ? undefined : correlatedKey(part.old, key);
    const named = part.field === '' ? key : `${part.field}.${key}`;
    const field = values === undefined ? named : `${part.field}[${key}]`;
    const place = { path: [...part.path, key], field };
    return checkPart(child(part, value, old, keySchema, place), keySchema, keyRules);
  });
}

function ownProperty({ properties }: Schema, key: string): Schema | undefined {
  return properties !== undefined && Object.hasOwn(properties, key) ? properties[key] : undefined;
}

function child(
  parent: Part,
  value: Json,
  old: Json | undefined,
  schema: Schema,
  place: Pick<Part, 'path' | 'field'>,
): Part {
  const isUnchanged = old === undefined ? parent.isUnchanged : sameJson(value, old);
  const isRoot = schema['x-kubernetes-embedded-resource'] === true;
  return { value, old, ...place, isRoot, isUnchanged };
}

const parsedRules = new Map<string, Parsed>();

function parseRule(text: string): Parsed {
  const known = parsedRules.get(text) ?? parseExpression(text);
  parsedRules.set(text, known);
  return known;
}

function checkRule(part: Part, schema: Schema, rule: Rule): readonly Finding[] {
  if (rule.rule.trim() === '') return [];
  const parsed = parseRule(rule.rule);
  if ('error' in parsed) return [failed(part, schema, `rule compile error: ${parsed.error}`)];
  const usesOld = mentions(parsed.root, 'oldSelf');
  const isOptional = rule.optionalOldSelf === true;
  if (usesOld && part.old === undefined && !isOptional) return [];
  if (!usesOld && part.isUnchanged) return [];
  const scope = scopeOf(part, schema, isOptional);
  try {
    if (evaluate(parsed.root, scope) === true) return [];
  } catch (error) {
    if (!(error instanceof CelError)) throw error;
    return [failed(part, schema, evaluationError(error, rule))];
  }
  const detail = messageOfExpression(rule, scopeOf(part, schema, false)) ?? messageOfRule(rule);
  return [finding(part, rule, detail, readRulePath(rule.fieldPath ?? ''))];
}

function scopeOf(part: Part, schema: Schema, isOptional: boolean): Scope {
  const scope = new Map<string, Value>([['self', toValue(part.value, schema, part.isRoot)]]);
  const old = part.old === undefined ? undefined : toValue(part.old, schema, part.isRoot);
  if (isOptional) {
    scope.set(
      'oldSelf',
      old === undefined ? { kind: 'optional' } : { kind: 'optional', value: old },
    );
  } else if (old !== undefined) {
    scope.set('oldSelf', old);
  }
  return scope;
}

function evaluationError({ message }: CelError, rule: Rule): string {
  return message.startsWith('no such overload')
    ? `'${message}': call arguments did not match a supported operator, function or macro signature for rule: ${shortRule(rule)}`
    : `${message} evaluating rule: ${shortRule(rule)}`;
}

function shortRule(rule: Rule): string {
  return (rule.message ?? '').trim() || rule.rule.trim();
}

function messageOfRule(rule: Rule): string {
  return (rule.message ?? '').trim() || `failed rule: ${rule.rule.trim()}`;
}

/** The text a messageExpression makes; undefined when it fails or is unfit, as then the message is used. */
function messageOfExpression({ messageExpression }: Rule, scope: Scope): string | undefined {
  if (messageExpression === undefined) return undefined;
  const parsed = parseRule(messageExpression);
  if ('error' in parsed) return undefined;
  try {
    const text = evaluate(parsed.root, scope);
    const trimmed = typeof text === 'string' ? text.trim() : '';
    return trimmed === '' || trimmed.includes('\n') ? undefined : trimmed;
  } catch (error) {
    if (!(error instanceof CelError)) throw error;
    return undefined;
  }
}

const SHOWN_REASONS: readonly Reason[] = [
  'FieldValueForbidden',
  'FieldValueRequired',
  'FieldValueDuplicate',
];

function finding(part: Part, rule: Rule, detail: string, at: RulePath): Finding {
  const reason = SHOWN_REASONS.find((one) => one === rule.reason) ?? 'FieldValueInvalid';
  const field = `${part.field}${at.field}`.replace(/^\./u, '');
  return {
    type: 'cel',
    path: [...part.path, ...at.path],
    field: field === '' ? '<nil>' : field,
    reason,
    message: worded(reason, part.value, detail),
    code: 'RULE_BROKEN',
  };
}

/** A rule that could not be evaluated: the API server names the type in place of the value. */
function failed(part: Part, schema: Schema, detail: string): Finding {
  const whole = finding(part, { rule: '' }, detail, { path: [], field: '' });
  return { ...whole, message: `Invalid value: ${quote(schema.type ?? '')}: ${detail}` };
}

/** Only scalars are shown: an object would hide the message. */
function worded(reason: Reason, value: Json, detail: string): string {
  if (reason === 'FieldValueForbidden') return `Forbidden: ${detail}`;
  if (reason === 'FieldValueRequired') return `Required value: ${detail}`;
  if (reason === 'FieldValueDuplicate') return `Duplicate value: ${valueText(value)}`;
  const shown = isObject(value) || isList(value) ? '' : `${valueText(value)}: `;
  return `Invalid value: ${shown}${detail}`;
}
