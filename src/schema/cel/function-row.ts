// A function of the dialect as a table row: its signature, what it does, and what the API server reckons it costs.
import { parseType, type Type } from './type.ts';
import type { Value } from './value.ts';

/** The least and the most elements a value can have: characters, items, entries. */
export interface Size {
  readonly min: number;
  readonly max: number;
}

export const UNKNOWN_SIZE: Size = { min: 0, max: Number.POSITIVE_INFINITY };

/** What is known of an argument before anything runs. The receiver of a method comes first. */
export interface Operand {
  readonly type: Type;
  readonly size: Size;
  /** The size of the items of a list. */
  readonly itemSize: Size;
}

export interface Estimate {
  /** The most it costs, without its arguments; one unit when absent. */
  readonly cost?: (...operands: readonly Operand[]) => number;
  /** The size of its result. */
  readonly size?: (...operands: readonly Operand[]) => Size;
}

export interface FunctionRow extends Estimate {
  readonly name: string;
  readonly isMethod: boolean;
  /** The types of the receiver, if it is a method, and of the arguments. */
  readonly params: readonly Type[];
  readonly result: Type;
  readonly run: (...args: readonly never[]) => Value;
}

/** An error of an expression that runs; `&&` and `||` may absorb it. */
export class CelError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'CelError';
  }
}

/**
 * A row from a signature: `size(string): int`, a method `string.trim(): string`, or a function in a
 * namespace `sets::contains(list<A>, list<A>): bool`, which expressions call `sets.contains(…)`.
 */
export function fn(
  signature: string,
  run: (...args: readonly never[]) => Value,
  estimate: Estimate = {},
): FunctionRow {
  const parts =
    /^(?:(?<target>[^().:]+)\.|(?<space>[a-z]+)::)?(?<name>[^(]+)\((?<params>.*)\): (?<result>.+)$/u.exec(
      signature,
    )?.groups;
  if (parts === undefined) throw new TypeError(`not a signature: ${signature}`);
  const { target, space, name = '', params = '', result = '' } = parts;
  const types = params === '' ? [] : params.split(/, (?![^<]*>)/u).map(parseType);
  return {
    name: space === undefined ? name : `${space}.${name}`,
    isMethod: target !== undefined,
    params: target === undefined ? types : [parseType(target), ...types],
    result: parseType(result),
    run,
    ...estimate,
  };
}

/** What going through so many characters costs. */
export function traversal(size: number, factor = 0.1): number {
  return Math.ceil(size * factor);
}

/** A product in which nothing times endlessly is nothing. */
export function times(a: number, b: number): number {
  return a === 0 || b === 0 ? 0 : a * b;
}
