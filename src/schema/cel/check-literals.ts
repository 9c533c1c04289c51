// Arguments written out in an expression, which cel-go looks at before it ever runs.
import { compilePattern } from '../pattern.ts';
import { AnalysisError } from './analysis.ts';
import type { Node } from './expression.ts';
import { CelError } from './function-row.ts';
import { findFunctions } from './functions.ts';
import { parseDuration, parseTimestamp } from './time.ts';

const CONVERSIONS = ['int', 'uint', 'double', 'bool'];

/** Throws an AnalysisError for a text that is no duration, time, pattern or number where one is needed. */
export function checkLiterals(
  { name }: { readonly name: string },
  operands: readonly (Node | undefined)[],
): void {
  const last = operands.at(-1);
  if (last?.op !== 'literal' || typeof last.value !== 'string') return;
  const text = last.value;
  const isWrong =
    (name === 'duration' && parseDuration(text) === undefined) ||
    (name === 'timestamp' && parseTimestamp(text) === undefined) ||
    (name === 'matches' && 'error' in compilePattern(text));
  if (isWrong) throw new AnalysisError(`invalid ${name} argument`, last.at);
  if (CONVERSIONS.includes(name) && operands.length === 1) checkConversion(name, text);
}

function checkConversion(name: string, text: string): void {
  const row = findFunctions(name, false, 1).find(({ params }) => params[0]?.kind === 'string');
  try {
    row?.run(...([text] as never[]));
  } catch (error) {
    if (!(error instanceof CelError)) throw error;
    // Constants are folded when the program is made: no place is told.
    throw new AnalysisError(`type conversion error from 'string' to '${name}'`, -1);
  }
}
