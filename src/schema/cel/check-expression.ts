// Expressions beside the rules of a schema, over variables nothing is known about.
import { AnalysisError, type Variables } from './analysis.ts';
import { analyze } from './analyze.ts';
import { parseExpression } from './expression.ts';

/** Why an expression that must give a boolean does not compile; undefined when it does. */
export function checkExpression(text: string, names: readonly string[]): string | undefined {
  const parsed = parseExpression(text);
  if ('error' in parsed) return parsed.error;
  const variables: Variables = new Map(
    names.map((name) => [name, { type: { kind: 'dyn' }, cost: 1 }]),
  );
  try {
    const { type } = analyze(parsed.root, variables);
    return type.kind === 'bool' || type.kind === 'dyn' ? undefined : 'must evaluate to a bool';
  } catch (error) {
    if (error instanceof AnalysisError) return error.message;
    throw error;
  }
}
