// CEL text as a tree. The parser is @marcbachmann/cel-js and this is its only importer: its evaluation is not
// used, since it reads patterns as JavaScript does, counts UTF-16 units and lets no function be replaced.
import { type ASTNode, Environment, ParseError } from '@marcbachmann/cel-js';
import type { Value } from './value.ts';

/** A node of an expression. */
export type Node =
  | { readonly op: 'literal'; readonly at: number; readonly value: Value }
  | { readonly op: 'name'; readonly at: number; readonly name: string }
  | {
      readonly op: 'select';
      readonly at: number;
      readonly of: Node;
      readonly field: string;
      readonly optional: boolean;
    }
  | { readonly op: 'list'; readonly at: number; readonly items: readonly Node[] }
  | {
      readonly op: 'map';
      readonly at: number;
      readonly entries: readonly (readonly [Node, Node])[];
    }
  | {
      readonly op: 'call';
      readonly at: number;
      readonly name: string;
      /** The receiver of a method. */
      readonly target?: Node;
      readonly args: readonly Node[];
    };

export type Parsed = { readonly root: Node } | { readonly error: string; readonly at: number };

// The parser knows the standard macros by name and checks their variables; nothing else is asked of it.
const parser = new Environment({ unlistedVariablesAreDyn: true, enableOptionalTypes: true });

/** Parses an expression; an error has its offset in the text. */
export function parseExpression(text: string): Parsed {
  try {
    return { root: toNode(parser.parse(text).ast) };
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    return { error: `Syntax error: ${error.summary}`, at: error.range?.start ?? 0 };
  }
}

const OPERATORS: { readonly [op: string]: string } = {
  '!_': '!_',
  '-_': '-_',
  '?:': '_?_:_',
  '[]': '_[_]',
  '[?]': '_[?_]',
  in: '@in',
};

function toNode(ast: ASTNode): Node {
  const at = ast.start;
  switch (ast.op) {
    case 'value':
      return { op: 'literal', at, value: toValue(ast.args) };
    case 'id':
      return { op: 'name', at, name: ast.args };
    case '.':
    case '.?':
      return {
        op: 'select',
        at: ast.input.indexOf('.', ast.args[0].end),
        of: toNode(ast.args[0]),
        field: ast.args[1],
        optional: ast.op === '.?',
      };
    case 'list':
      return { op: 'list', at, items: ast.args.map(toNode) };
    case 'map':
      return {
        op: 'map',
        at,
        entries: ast.args.map(([key, value]) => [toNode(key), toNode(value)]),
      };
    case 'call':
      return { op: 'call', at, name: ast.args[0], args: ast.args[1].map(toNode) };
    case 'rcall':
      return {
        op: 'call',
        at: ast.input.indexOf('(', ast.args[1].end),
        name: ast.args[0],
        target: toNode(ast.args[1]),
        args: ast.args[2].map(toNode),
      };
    default: {
      const operands = (Array.isArray(ast.args) ? ast.args : [ast.args]) as readonly ASTNode[];
      const name = OPERATORS[ast.op] ?? `_${ast.op}_`;
      // cel-go places what stands between operands where it stands.
      const sign = ast.op.replaceAll(/[_\]]|:$/gu, '');
      const from = operands.length > 1 ? (operands[0]?.end ?? 0) : ast.start;
      return { op: 'call', at: ast.input.indexOf(sign, from), name, args: operands.map(toNode) };
    }
  }
}

function toValue(literal: unknown): Value {
  if (typeof literal === 'object' && literal !== null && !(literal instanceof Uint8Array)) {
    return { kind: 'uint', value: BigInt(String(literal)) };
  }
  return literal as Value;
}

/** The dotted name a node spells, such as `optional` or `a.b`; undefined for anything else. */
export function dottedName(node: Node | undefined): string | undefined {
  if (node?.op === 'name') return node.name;
  if (node?.op !== 'select' || node.optional) return undefined;
  const before = dottedName(node.of);
  return before === undefined ? undefined : `${before}.${node.field}`;
}

/** Whether an expression mentions a variable. */
export function mentions(node: Node, name: string): boolean {
  switch (node.op) {
    case 'literal':
      return false;
    case 'name':
      return node.name === name;
    case 'select':
      return mentions(node.of, name);
    case 'list':
      return node.items.some((item) => mentions(item, name));
    case 'map':
      return node.entries.some((entry) => entry.some((part) => mentions(part, name)));
    case 'call':
      return (
        (node.target !== undefined && mentions(node.target, name)) ||
        node.args.some((arg) => mentions(arg, name))
      );
  }
}
