// What ends a reconcile: Crossplane writes it into the Synced condition, render prints it as a problem.
import type { ProblemCode } from '../core/problem-codes.ts';

/** Why nothing was composed. */
export interface Failure {
  readonly code: ProblemCode;
  /** Crossplane's own words, without the operation before them. */
  readonly message: string;
  readonly hint?: string;
}

/** Carries a failure up to the reconcile that catches it. Never leaves this folder. */
export class ReconcileFailure extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.message);
    this.name = 'ReconcileFailure';
    this.failure = failure;
  }
}

/** Throws a ReconcileFailure. */
export function fail(code: ProblemCode, message: string, hint?: string): never {
  throw new ReconcileFailure({ code, message, ...(hint === undefined ? {} : { hint }) });
}
