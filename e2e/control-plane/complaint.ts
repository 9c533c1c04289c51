// What the machine lacks or refuses, told in one line instead of a stack trace.

/** Ends a run for a reason that a person can mend. */
export class Complaint extends Error {
  readonly hint: string | undefined;

  constructor(message: string, hint?: string) {
    super(message);
    this.name = 'Complaint';
    this.hint = hint;
  }
}
