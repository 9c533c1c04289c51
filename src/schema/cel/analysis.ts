// Types, sizes and prices of parts of an expression, and how they combine.
import { type Size, UNKNOWN_SIZE } from './function-row.ts';
import { accepts, formatType, isScalar, type Type } from './type.ts';

/** What is known of an expression. */
export interface Analysis {
  readonly type: Type;
  /** The most evaluating it costs, in the API server's units. */
  readonly cost: number;
  /** Its size where the expression itself says it; else the type's bound counts. */
  readonly size?: Size;
  /** The size of its items or keys. */
  readonly itemSize?: Size;
}

/** Variables by name; using one costs a unit, whatever its own cost says. */
export type Variables = ReadonlyMap<string, Analysis>;
/** Why an expression does not compile, and where in its text; -1 where only making the program fails. */
export class AnalysisError extends Error {
  readonly at: number;

  constructor(message: string, at: number) {
    super(message);
    this.name = 'AnalysisError';
    this.at = at;
  }
}

/** The size of a value: what the expression says, else the bound of its type. */
export function sizeOf({ size, type }: Analysis): Size {
  if (size !== undefined) return size;
  if (type.max !== undefined) return { min: 0, max: type.max };
  return isScalar(type) ? { min: 1, max: 1 } : UNKNOWN_SIZE;
}

/** The size of either of two values. */
export function union(a: Size | undefined, b: Size | undefined): Size | undefined {
  if (a === undefined || b === undefined) return undefined;
  return { min: Math.min(a.min, b.min), max: Math.max(a.max, b.max) };
}

/** What a call returns has no place in the schema, so nothing bounds it. */
export function unbounded(type: Type): Type {
  switch (type.kind) {
    case 'list':
    case 'optional':
      return { kind: type.kind, item: unbounded(type.item) };
    case 'map':
      return { kind: 'map', key: unbounded(type.key), value: unbounded(type.value) };
    case 'object':
      return type;
    case 'param':
      return { kind: 'param', name: type.name };
    default:
      return { kind: type.kind };
  }
}

/** The type two values have in common; undefined when they have none. */
export function common(a: Type, b: Type): Type | undefined {
  if (a.kind === 'dyn' || b.kind === 'dyn') return { kind: 'dyn' };
  if (accepts(a, b, new Map())) return unbounded(a);
  return accepts(b, a, new Map()) ? unbounded(b) : undefined;
}

/** The type all parts share. Throws an AnalysisError when they share none. */
export function commonOf(parts: readonly Analysis[], at: number): Type {
  return parts.reduce<Type>(
    (type, part, i) => {
      const joined = i === 0 ? unbounded(part.type) : common(type, part.type);
      if (joined !== undefined) return joined;
      throw new AnalysisError(
        `expected type '${formatType(type)}' but found '${formatType(part.type)}'`,
        at,
      );
    },
    { kind: 'dyn' },
  );
}

/** What several parts cost together. */
export function total(parts: readonly Analysis[]): number {
  return parts.reduce((sum, { cost }) => sum + cost, 0);
}

/** The size of the items of a list, as far as their type bounds it. */
export function itemSizeOf(type: Type): Size {
  return type.kind === 'list' ? sizeOf({ type: type.item, cost: 0 }) : UNKNOWN_SIZE;
}
