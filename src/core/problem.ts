// What a user got wrong, or what the outside refused, as a value: never a stack trace.
import type { ProblemCode } from './problem-codes.ts';

/** A place in a file; lines and columns count from 1. */
export interface Place {
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
}

export interface Problem {
  readonly code: ProblemCode;
  /** The field, as the API server writes it: `spec.bucket`, `spec.rules[2].name`; empty for a whole document. */
  readonly path: string;
  /** One line: what was found and what is wanted. Lower case, no full stop. */
  readonly message: string;
  /** What to do, when the message alone does not say it. Begins with a verb. */
  readonly hint?: string;
  readonly place?: Place;
}

/**
 * Ends an operation because of problems a user can mend. The only error that commands print without
 * a stack; everything else that is thrown is a defect of ours.
 */
export class ProblemError extends Error {
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    super(problems.map(formatProblem).join('\n'));
    this.name = 'ProblemError';
    this.problems = problems;
  }
}

/** Throws a ProblemError of one problem. */
export function refuse(
  code: ProblemCode,
  message: string,
  more: Partial<Omit<Problem, 'code' | 'message'>> = {},
): never {
  throw new ProblemError([{ code, path: '', message, ...more }]);
}

/** `xr.yaml:12:9: error BUCKET_URI: spec.bucket: …`, and the hint on a line of its own. */
export function formatProblem(problem: Problem): string {
  const place = problem.place === undefined ? '' : `${formatPlace(problem.place)}: `;
  const path = problem.path === '' ? '' : `${problem.path}: `;
  const hint = problem.hint === undefined ? '' : `\n  hint: ${oneLine(problem.hint)}`;
  return `${place}error ${problem.code}: ${path}${oneLine(problem.message)}${hint}`;
}

/** `file:line:column`, as far as they are known. */
export function formatPlace(place: Place): string {
  return [place.file, place.line, place.column].filter((part) => part !== undefined).join(':');
}

/** The text on one line: runs of white space, line breaks included, become one space. */
export function oneLine(text: string): string {
  return text.replace(/\s+/gu, ' ').trim();
}

/** The message of whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
