// What bootstrap asks of an object store, and the ways a store can say no, whatever its make.
import type { ProblemCode } from '../core/problem-codes.ts';

export interface StoredObject {
  readonly body: string;
  /** What a compare-and-swap names: the ETag of S3 and Azure, the generation of GCS. */
  readonly tag: string;
}

/** The answer to a conditional write: done, or refused because the condition does not hold. */
export type WriteAnswer = { readonly done: true; readonly tag: string } | { readonly done: false };

/** Keys are those of the fleet, without its prefix. Every method throws a StoreError when the store does not do it. */
export interface ObjectStore {
  /** Asks for one page of the fleet's keys; makes the container first where the store is an emulator. */
  readonly open: () => Promise<void>;
  readonly read: (key: string) => Promise<StoredObject | undefined>;
  /** Writes only where no object is. */
  readonly create: (key: string, body: string) => Promise<WriteAnswer>;
  /** Writes only over the object with this tag. */
  readonly replace: (key: string, body: string, tag: string) => Promise<WriteAnswer>;
  /** Removes an object; one that is not there is removed already. */
  readonly remove: (key: string) => Promise<void>;
  /** Breaks off what is still asked, so that it does not hold the process. */
  readonly close: () => void;
}

/**
 * How long asking again may help: `down` until the whole time is over; `denied` for a while, since
 * new permissions, keys and buckets take time to be known everywhere; `final` never.
 */
export type Patience = 'down' | 'denied' | 'final';

/** A store did not do what it was asked. The message is one line without secrets. */
export class StoreError extends Error {
  readonly code: ProblemCode;
  readonly patience: Patience;
  readonly hint: string | undefined;

  constructor(code: ProblemCode, patience: Patience, message: string, hint?: string) {
    super(message);
    this.name = 'StoreError';
    this.code = code;
    this.patience = patience;
    this.hint = hint;
  }
}

/** How long one request may take; celld allows its own the same. */
export const REQUEST_MS = 15_000;

/** The media type of a key of ours. */
export function contentType(key: string): string {
  return key.endsWith('.js') ? 'text/javascript' : 'application/json';
}
