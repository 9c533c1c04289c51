// What an expression is before it runs: its type, and the most it may cost, as cel-go estimates it.
import {
  type Analysis,
  AnalysisError,
  common,
  commonOf,
  itemSizeOf,
  sizeOf,
  total,
  unbounded,
  union,
  type Variables,
} from './analysis.ts';
import { checkLiterals } from './check-literals.ts';
import { dottedName, type Node } from './expression.ts';
import { type FunctionRow, type Size, times, UNKNOWN_SIZE } from './function-row.ts';
import { findFunctions, isNamespaced, TYPE_NAMES } from './functions.ts';
import { type Binding, bindingOf, type Loop, loopOf } from './macro.ts';
import { accepts, type Bindings, bind, formatType, type Type } from './type.ts';
import { kindOf } from './value.ts';

type Call = Extract<Node, { op: 'call' }>;

// The API server's prices (cel-go, common/cost.go).
const NAME_COST = 1;
const LIST_COST = 10;
const MAP_COST = 30;

/** Types and prices an expression. Throws an AnalysisError when it does not compile. */
export function analyze(node: Node, variables: Variables): Analysis {
  switch (node.op) {
    case 'literal':
      return analyzeLiteral(node);
    case 'name':
      return analyzeName(node, variables);
    case 'select':
      return analyzeSelect(node, variables);
    case 'list':
      return analyzeList(node, variables);
    case 'map':
      return analyzeMap(node, variables);
    case 'call':
      return analyzeCall(node, variables);
  }
}

function analyzeLiteral({ value }: Extract<Node, { op: 'literal' }>): Analysis {
  const length = typeof value === 'string' ? [...value].length : 1;
  const size = value instanceof Uint8Array ? value.length : length;
  return { type: { kind: kindOf(value) as 'string' }, cost: 0, size: { min: size, max: size } };
}

/** A type by its name; comparing with it costs nothing more. */
const TYPE_NAME: Analysis = { type: { kind: 'type' }, cost: NAME_COST, size: { min: 0, max: 0 } };

function analyzeName(node: Extract<Node, { op: 'name' }>, variables: Variables): Analysis {
  const variable = variables.get(node.name);
  if (variable !== undefined) return { ...variable, cost: NAME_COST };
  if (TYPE_NAMES.has(node.name)) return TYPE_NAME;
  throw new AnalysisError(`undeclared reference to '${node.name}' (in container '')`, node.at);
}

function analyzeSelect(node: Extract<Node, { op: 'select' }>, variables: Variables): Analysis {
  if (TYPE_NAMES.has(dottedName(node) ?? '')) return TYPE_NAME;
  const of = analyze(node.of, variables);
  const isOptional = node.optional || of.type.kind === 'optional';
  const inner = of.type.kind === 'optional' ? of.type.item : of.type;
  const type = fieldType(inner, node);
  const cost = of.cost + (inner.kind === 'dyn' && !isOptional ? 0 : NAME_COST);
  return { type: isOptional ? { kind: 'optional', item: unbounded(type) } : type, cost };
}

function fieldType(type: Type, { field, at }: Extract<Node, { op: 'select' }>): Type {
  if (type.kind === 'dyn' || type.kind === 'param') return { kind: 'dyn' };
  if (type.kind === 'map') return type.value;
  if (type.kind !== 'object') {
    throw new AnalysisError(`type '${formatType(type)}' does not support field selection`, at);
  }
  const found = type.fields.get(field);
  if (found === undefined) throw new AnalysisError(`undefined field '${field}'`, at);
  return found;
}

function analyzeList(node: Extract<Node, { op: 'list' }>, variables: Variables): Analysis {
  const items = node.items.map((item) => analyze(item, variables));
  const itemSize = items
    .map(sizeOf)
    .reduce<Size | undefined>((all, one) => union(all ?? one, one), undefined);
  return {
    type: { kind: 'list', item: commonOf(items, node.at) },
    cost: LIST_COST + total(items),
    size: { min: items.length, max: items.length },
    ...(itemSize === undefined ? {} : { itemSize }),
  };
}

/** Only what a format text is filled with may be of several types. */
function analyzeMixed(node: Extract<Node, { op: 'list' }>, variables: Variables): Analysis {
  const items = node.items.map((item) => analyze(item, variables));
  return {
    type: { kind: 'list', item: { kind: 'dyn' } },
    cost: LIST_COST + total(items),
    size: { min: items.length, max: items.length },
  };
}

function analyzeMap(node: Extract<Node, { op: 'map' }>, variables: Variables): Analysis {
  const keys = node.entries.map(([key]) => analyze(key, variables));
  const values = node.entries.map(([, value]) => analyze(value, variables));
  return {
    type: { kind: 'map', key: commonOf(keys, node.at), value: commonOf(values, node.at) },
    cost: MAP_COST + total(keys) + total(values),
    size: { min: keys.length, max: keys.length },
  };
}

function analyzeCall(node: Call, variables: Variables): Analysis {
  const { name, target, args } = node;
  if (name === 'has' && target === undefined) return analyzeHas(node, variables);
  if (name === '_?_:_') return analyzeConditional(node, variables);
  if (name === '_&&_' || name === '_||_') {
    const sides = args.map((arg) => analyze(arg, variables));
    if (!sides.every(isBool)) throw noOverload(node, undefined, sides);
    return { type: { kind: 'bool' }, cost: total(sides) };
  }
  const loop = loopOf(node);
  if (loop !== undefined) return analyzeLoop(loop, variables);
  const binding = bindingOf(node);
  if (binding !== undefined) return analyzeBinding(binding, variables);
  return analyzeFunction(node, variables);
}

function isBool({ type }: Analysis): boolean {
  return type.kind === 'bool' || type.kind === 'dyn';
}

/** Asking for a field costs what reaching the object costs. */
function analyzeHas({ args: [arg], at }: Call, variables: Variables): Analysis {
  if (arg?.op !== 'select') throw new AnalysisError('invalid argument to has() macro', at);
  analyze(arg, variables);
  return { type: { kind: 'bool' }, cost: analyze(arg.of, variables).cost };
}

function analyzeConditional(node: Call, variables: Variables): Analysis {
  const parts = node.args.map((arg) => analyze(arg, variables));
  const [condition, yes, no] = parts;
  if (condition === undefined || yes === undefined || no === undefined || !isBool(condition)) {
    throw noOverload(node, undefined, parts);
  }
  const type = common(yes.type, no.type);
  if (type === undefined) throw noOverload(node, undefined, parts);
  const size = union(sizeOf(yes), sizeOf(no)) ?? UNKNOWN_SIZE;
  const itemSize = union(yes.itemSize, no.itemSize);
  const cost = condition.cost + Math.max(yes.cost, no.cost);
  return { type, cost, size, ...(itemSize === undefined ? {} : { itemSize }) };
}

/** What a loop costs once, what each turn costs beside its body, and what reading the result costs. */
const LOOP_COSTS: { readonly [kind in Loop['kind']]: readonly [once: number, turn: number] } = {
  all: [NAME_COST, 3],
  exists: [NAME_COST, 4],
  existsOne: [2, 2],
  map: [LIST_COST + NAME_COST, 12],
  filter: [LIST_COST + NAME_COST, 13],
  transformMap: [MAP_COST + NAME_COST, 3],
};

function analyzeLoop(loop: Loop, variables: Variables): Analysis {
  const range = analyze(loop.range, variables);
  const inner = new Map(variables);
  for (const [i, name] of loop.names.entries()) {
    inner.set(name, variableOf(range, loop, i));
  }
  const where = loop.where === undefined ? undefined : analyze(loop.where, inner);
  const body = analyze(loop.body, inner);
  const isTest = loop.kind !== 'map' && loop.kind !== 'transformMap';
  if ((isTest && !isBool(body)) || (where !== undefined && !isBool(where))) {
    throw new AnalysisError(
      `expected type 'bool' but found '${formatType((where ?? body).type)}'`,
      loop.body.at,
    );
  }
  const [once, turn] = LOOP_COSTS[loop.kind];
  const count = sizeOf(range);
  const cost = range.cost + once + times(count.max, turn + (where?.cost ?? 0) + body.cost);
  return { cost, ...loopResult(loop, range, body, inner, count) };
}

function variableOf(range: Analysis, loop: Loop, index: number): Analysis {
  const isItem = index === loop.names.length - 1;
  const { type } = range;
  if (type.kind === 'dyn') return { type: { kind: 'dyn' }, cost: NAME_COST };
  if (type.kind === 'list') {
    if (!isItem) return { type: { kind: 'int' }, cost: NAME_COST };
    const { itemSize } = range;
    return {
      type: type.item,
      cost: NAME_COST,
      ...(itemSize === undefined ? {} : { size: itemSize }),
    };
  }
  if (type.kind !== 'map') {
    throw new AnalysisError(
      `expression of type '${formatType(type)}' cannot be range of a comprehension (must be list, map, or dynamic)`,
      loop.range.at,
    );
  }
  return { type: isItem && loop.names.length === 2 ? type.value : type.key, cost: NAME_COST };
}

function loopResult(
  loop: Loop,
  range: Analysis,
  body: Analysis,
  inner: Variables,
  size: Size,
): Omit<Analysis, 'cost'> {
  if (loop.kind === 'map') {
    return { type: { kind: 'list', item: unbounded(body.type) }, size, itemSize: sizeOf(body) };
  }
  if (loop.kind === 'transformMap') {
    const key: Type = range.type.kind === 'map' ? range.type.key : { kind: 'int' };
    return { type: { kind: 'map', key, value: unbounded(body.type) }, size };
  }
  if (loop.kind !== 'filter') return { type: { kind: 'bool' } };
  const item = inner.get(loop.names[0] ?? '') ?? body;
  return { type: { kind: 'list', item: unbounded(item.type) }, size, itemSize: sizeOf(item) };
}

function analyzeBinding({ kind, name, value, body }: Binding, variables: Variables): Analysis {
  const bound = analyze(value, variables);
  const type: Type = bound.type.kind === 'optional' ? bound.type.item : { kind: 'dyn' };
  const result = analyze(body, new Map([...variables, [name, { type: unbounded(type), cost: 1 }]]));
  return {
    type: kind === 'optMap' ? { kind: 'optional', item: unbounded(result.type) } : result.type,
    cost: LIST_COST + 3 + 2 * bound.cost + result.cost,
  };
}

function analyzeFunction(node: Call, variables: Variables): Analysis {
  const { name, target, args } = node;
  const space = dottedName(target);
  const namespaced = space === undefined || variables.has(space) ? '' : `${space}.${name}`;
  const isMethod = target !== undefined && !isNamespaced(namespaced);
  const receiver = isMethod ? analyze(target, variables) : undefined;
  const operands = args.map((arg) =>
    name === 'format' && arg.op === 'list' ? analyzeMixed(arg, variables) : analyze(arg, variables),
  );
  const all = receiver === undefined ? operands : [receiver, ...operands];
  const wanted = target === undefined || isMethod ? name : namespaced;
  const matches = findFunctions(wanted, isMethod, all.length).flatMap((row) => {
    const bindings: Bindings = new Map();
    const isRight = row.params.every((param, i) => accepts(param, typeAt(all, i), bindings));
    return isRight ? [priced(row, all, bindings)] : [];
  });
  checkLiterals(node, all.length === args.length ? args : [target, ...args]);
  const [first, ...others] = matches;
  if (first === undefined) throw noOverload(node, receiver, operands);
  const cost = total(all) + Math.max(...matches.map((match) => match.cost));
  const isOne = others.every(({ type }) => formatType(type) === formatType(first.type));
  return { ...first, cost, type: isOne ? first.type : { kind: 'dyn' } };
}

function typeAt(operands: readonly Analysis[], index: number): Type {
  return operands[index]?.type ?? { kind: 'dyn' };
}

function priced(row: FunctionRow, operands: readonly Analysis[], bindings: Bindings): Analysis {
  const known = operands.map((operand) => ({
    type: operand.type,
    size: sizeOf(operand),
    // Only a place in the schema tells how long the items of a list are.
    itemSize: itemSizeOf(operand.type),
  }));
  const result = bind(row.result, bindings);
  const size = row.name === 'dyn' ? known[0]?.size : row.size?.(...known);
  return {
    // An item keeps its place in the schema, and with it its bound; no other result has one.
    type: row.name === '_[_]' ? result : unbounded(result),
    cost: row.cost?.(...known) ?? 1,
    ...(size === undefined ? {} : { size }),
  };
}

function noOverload(
  { name, at }: Call,
  receiver: Analysis | undefined,
  operands: readonly Analysis[],
): AnalysisError {
  const types = operands.map(({ type }) => formatType(type)).join(', ');
  const applied = receiver === undefined ? `(${types})` : `${formatType(receiver.type)}.(${types})`;
  return new AnalysisError(`found no matching overload for '${name}' applied to '${applied}'`, at);
}
