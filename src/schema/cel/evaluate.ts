// Runs an expression as cel-go runs it: errors are absorbed by && and || when the other side decides.
import { dottedName, type Node } from './expression.ts';
import { CelError } from './function-row.ts';
import { findFunctions, isNamespaced, TYPE_NAMES } from './functions.ts';
import { type Binding, bindingOf, type Loop, loopOf } from './macro.ts';
import type { Type } from './type.ts';
import { type Key, kindOf, listOf, type OptionalValue, tagged, type Value } from './value.ts';

export type Scope = ReadonlyMap<string, Value>;
type Call = Extract<Node, { op: 'call' }>;

/** The value of an expression. Throws a CelError where the language has one: a missing key, an overflow. */
export function evaluate(node: Node, scope: Scope): Value {
  switch (node.op) {
    case 'literal':
      return node.value;
    case 'name':
      return valueOfName(node.name, scope);
    case 'select':
      return select(node, scope);
    case 'list':
      return listOf(node.items.map((item) => evaluate(item, scope)));
    case 'map':
      return {
        kind: 'map',
        entries: new Map(
          node.entries.map(([key, value]) => [evaluate(key, scope) as Key, evaluate(value, scope)]),
        ),
      };
    case 'call':
      return call(node, scope);
  }
}

function valueOfName(name: string, scope: Scope): Value {
  const value = scope.get(name);
  if (value !== undefined) return value;
  const type = TYPE_NAMES.get(name);
  if (type === undefined) throw new CelError(`no such attribute(s): ${name}`);
  return { kind: 'type', name: type };
}

function select(node: Extract<Node, { op: 'select' }>, scope: Scope): Value {
  const typeName = TYPE_NAMES.get(dottedName(node) ?? '');
  if (typeName !== undefined) return { kind: 'type', name: typeName };
  const of = evaluate(node.of, scope);
  const optional = tagged(of, 'optional');
  if (node.optional || optional !== undefined) {
    const found = optional === undefined ? of : optional.value;
    return some(found === undefined ? undefined : tagged(found, 'map')?.entries.get(node.field));
  }
  const map = tagged(of, 'map');
  if (map === undefined) throw new CelError('no such overload');
  const value = map.entries.get(node.field);
  if (value === undefined) throw new CelError(`no such key: ${node.field}`);
  return value;
}

function some(value: Value | undefined): OptionalValue {
  return value === undefined ? { kind: 'optional' } : { kind: 'optional', value };
}

function has(arg: Node | undefined, scope: Scope): boolean {
  if (arg?.op !== 'select') throw new CelError('invalid argument to has() macro');
  const of = evaluate(arg.of, scope);
  const inner = tagged(of, 'optional');
  const map = tagged(inner === undefined ? of : (inner.value ?? null), 'map');
  if (map === undefined && inner === undefined) throw new CelError('no such overload');
  return map?.entries.has(arg.field) ?? false;
}

function call(node: Call, scope: Scope): Value {
  const { name, target, args } = node;
  if (name === 'has' && target === undefined) return has(args[0], scope);
  if (name === '_&&_') return junction(false, args, scope);
  if (name === '_||_') return junction(true, args, scope);
  if (name === '_?_:_') return conditional(args, scope);
  const loop = loopOf(node);
  if (loop !== undefined) return runLoop(loop, scope);
  const binding = bindingOf(node);
  return binding === undefined ? apply(node, scope) : runBinding(binding, scope);
}

/** An operand that the parser has made sure of. */
function operand(args: readonly Node[], index: number): Node {
  const node = args[index];
  if (node === undefined) throw new TypeError(`operand ${index} is missing`);
  return node;
}

function conditional(args: readonly Node[], scope: Scope): Value {
  return evaluate(operand(args, bool(evaluate(operand(args, 0), scope)) ? 1 : 2), scope);
}

function bool(value: Value): boolean {
  if (typeof value !== 'boolean') throw new CelError('no such overload');
  return value;
}

/** Or, and: the deciding value wins over an error on the other side. */
function junction(deciding: boolean, sides: readonly Node[], scope: Scope): boolean {
  return junctionOf(
    deciding,
    sides.map((side) => () => evaluate(side, scope)),
  );
}

function junctionOf(deciding: boolean, sides: readonly (() => Value)[]): boolean {
  let failure: CelError | undefined;
  for (const side of sides) {
    try {
      if (bool(side()) === deciding) return deciding;
    } catch (error) {
      if (!(error instanceof CelError)) throw error;
      failure ??= error;
    }
  }
  if (failure !== undefined) throw failure;
  return !deciding;
}

/** The scopes of a loop: each item of a list, each key of a map; with two names index or key comes first. */
function scopesOf({ range, names }: Loop, scope: Scope): readonly Scope[] {
  const value = evaluate(range, scope);
  const list = tagged(value, 'list');
  const map = tagged(value, 'map');
  if (list === undefined && map === undefined) throw new CelError('no such overload');
  const pairs: readonly (readonly [Value, Value])[] =
    list !== undefined
      ? list.items.map((item, index) => [BigInt(index), item])
      : [...(map?.entries ?? [])];
  const [first = '', second] = names;
  return pairs.map(([key, item]) => {
    const only = list === undefined ? key : item;
    return second === undefined
      ? new Map([...scope, [first, only]])
      : new Map([...scope, [first, key], [second, item]]);
  });
}

function runLoop(loop: Loop, scope: Scope): Value {
  const { kind, where, body } = loop;
  const scopes = scopesOf(loop, scope);
  const holds = (inner: Scope) => bool(evaluate(body, inner));
  if (kind === 'all' || kind === 'exists') {
    const sides = scopes.map((inner) => () => evaluate(body, inner));
    return junctionOf(kind === 'exists', sides);
  }
  if (kind === 'existsOne') return scopes.filter(holds).length === 1;
  if (kind === 'filter') {
    const name = loop.names[0] ?? '';
    return listOf(scopes.filter(holds).map((inner) => inner.get(name) ?? null));
  }
  const wanted = scopes.filter((inner) => where === undefined || bool(evaluate(where, inner)));
  if (kind === 'map') return listOf(wanted.map((inner) => evaluate(body, inner)));
  const key = loop.names[0] ?? '';
  return {
    kind: 'map',
    entries: new Map(
      wanted.map((inner) => [(inner.get(key) ?? null) as Key, evaluate(body, inner)]),
    ),
  };
}

function runBinding({ kind, name, value, body }: Binding, scope: Scope): Value {
  const bound = evaluate(value, scope);
  const inner = tagged(bound, 'optional');
  if (inner === undefined) throw new CelError('no such overload');
  if (inner.value === undefined) return some(undefined);
  const result = evaluate(body, new Map([...scope, [name, inner.value]]));
  return kind === 'optMap' ? some(result) : result;
}

function apply({ name, target, args }: Call, scope: Scope): Value {
  const space = dottedName(target);
  const namespaced = space === undefined || scope.has(space) ? '' : `${space}.${name}`;
  const isMethod = target !== undefined && !isNamespaced(namespaced);
  const operands = [...(isMethod ? [target] : []), ...args].map((arg) => evaluate(arg, scope));
  const wanted = target === undefined || isMethod ? name : namespaced;
  const row = findFunctions(wanted, isMethod, operands.length).find(({ params }) =>
    params.every((param, i) => fits(param, operands[i] ?? null)),
  );
  if (row === undefined) throw new CelError('no such overload');
  return row.run(...(operands as never[]));
}

function fits(param: Type, value: Value): boolean {
  if (param.kind === 'param' || param.kind === 'dyn') return true;
  if (param.kind === 'list') {
    const list = tagged(value, 'list');
    const [first] = list?.items ?? [];
    return list !== undefined && (first === undefined || fits(param.item, first));
  }
  return kindOf(value) === (param.kind === 'object' ? 'map' : param.kind);
}
