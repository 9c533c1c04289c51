// The calls that bind a variable: which part is the range, the variable, the body.
import type { Node } from './expression.ts';

type Call = Extract<Node, { op: 'call' }>;

/** A loop over a list or the keys of a map. */
export interface Loop {
  readonly kind: 'all' | 'exists' | 'existsOne' | 'map' | 'filter' | 'transformMap';
  readonly range: Node;
  /** One name for the items or keys, or two for index and item, key and value. */
  readonly names: readonly string[];
  /** What must hold for an item to take part. */
  readonly where?: Node;
  readonly body: Node;
}

/** The value inside an optional given a name. */
export interface Binding {
  readonly kind: 'optMap' | 'optFlatMap';
  readonly name: string;
  readonly value: Node;
  readonly body: Node;
}

const QUANTIFIERS: { readonly [name: string]: 'all' | 'exists' | 'existsOne' } = {
  all: 'all',
  exists: 'exists',
  exists_one: 'existsOne',
  existsOne: 'existsOne',
};

/** The loop a call stands for, or undefined. */
export function loopOf({ name, target, args }: Call): Loop | undefined {
  const names = leadingNames(args);
  const body = args.at(-1);
  if (target === undefined || body === undefined || names.length === 0) return undefined;
  const quantifier = Object.hasOwn(QUANTIFIERS, name) ? QUANTIFIERS[name] : undefined;
  if (quantifier !== undefined) {
    return names.length < args.length - 1
      ? undefined
      : { kind: quantifier, range: target, names, body };
  }
  const transform = Object.hasOwn(TRANSFORMS, name) ? TRANSFORMS[name] : undefined;
  if (transform === undefined || names.length < transform.names) return undefined;
  const where = args.length > transform.names + 1 ? args[transform.names] : undefined;
  return {
    kind: transform.kind,
    range: target,
    names: names.slice(0, transform.names),
    body,
    ...(where === undefined ? {} : { where }),
  };
}

/** At most two names before the body. */
function leadingNames(args: readonly Node[]): readonly string[] {
  const end = args.findIndex((arg, i) => arg.op !== 'name' || i === 2 || i === args.length - 1);
  return args.slice(0, end).flatMap((arg) => (arg.op === 'name' ? [arg.name] : []));
}

const TRANSFORMS: {
  readonly [name: string]: { readonly kind: Loop['kind']; readonly names: number };
} = {
  filter: { kind: 'filter', names: 1 },
  map: { kind: 'map', names: 1 },
  transformList: { kind: 'map', names: 2 },
  transformMap: { kind: 'transformMap', names: 2 },
};

/** The binding a call stands for, or undefined. Kubernetes has no cel.bind. */
export function bindingOf({ name, target, args }: Call): Binding | undefined {
  const [first, body, more] = args;
  if (first?.op !== 'name' || body === undefined || more !== undefined) return undefined;
  if (target === undefined || (name !== 'optMap' && name !== 'optFlatMap')) return undefined;
  return { kind: name, name: first.name, value: target, body };
}
