// Times on the command line, written as Go writes them: 500ms, 30s, 1m30s.
import { refuse } from '../core/problem.ts';

const UNITS: { readonly [unit: string]: number } = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };
const PART = '(\\d+(?:\\.\\d+)?)(ms|s|m|h)';

/** Milliseconds of a duration. Throws a USAGE problem for what is none. */
export function parseDuration(option: string, text: string): number {
  if (!new RegExp(`^(?:${PART})+$`, 'u').test(text))
    return refuse(
      'USAGE',
      `--${option} is ${JSON.stringify(text)}: expected a time such as 30s or 1m`,
    );
  return [...text.matchAll(new RegExp(PART, 'gu'))].reduce(
    (sum, [, amount, unit]) => sum + Number(amount) * (UNITS[unit ?? ''] ?? 0),
    0,
  );
}
