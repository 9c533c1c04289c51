// Asks again until the store does it, with growing pauses, a bound, and a line for every try.
import { oneLine } from '../core/problem.ts';
import { StoreError } from './object-store.ts';

export interface WaitOptions {
  /** How long a store may be down. */
  readonly timeoutMs: number;
  /** How long a refusal may last that new permissions, keys and buckets explain. */
  readonly denialTimeoutMs: number;
  readonly firstPauseMs: number;
  readonly longestPauseMs: number;
  /** Ends the waiting, for a process that is told to stop. */
  readonly signal: AbortSignal;
  readonly log: (line: string) => void;
}

export interface Waited<T> {
  readonly value: T;
  readonly tries: number;
  readonly ms: number;
}

/** Runs `attempt` until it succeeds. Throws its StoreError once asking again is no use or time is over. */
export async function waitFor<T>(
  attempt: () => Promise<T>,
  options: WaitOptions,
): Promise<Waited<T>> {
  const start = performance.now();
  const timeIsOver = new StoreError('STORE_UNREACHABLE', 'final', 'no answer in time');
  let last: StoreError | undefined;
  let deniedSince: number | undefined;
  for (let tries = 1; ; tries++) {
    const before = performance.now();
    try {
      const value = await bounded(attempt, options, start + options.timeoutMs, timeIsOver);
      return { value, tries, ms: performance.now() - start };
    } catch (error) {
      // What it was before says more than that it now takes too long.
      if (error === timeIsOver && last !== undefined) throw givenUp(last, start, tries);
      last = worthAnotherTry(error);
    }
    deniedSince = last.patience === 'denied' ? (deniedSince ?? before) : undefined;
    const left = timeLeft(options, start, deniedSince);
    if (left < options.firstPauseMs) throw givenUp(last, start, tries);
    // Near the end the pauses shrink, so that the last try is a late one.
    const pause = Math.min(pauseAfter(tries, options), left / 2);
    const when = `next try in ${seconds(pause)}, giving up in ${seconds(left)}`;
    options.log(`waiting: ${oneLine(last.message)}; ${when}`);
    await sleep(pause, options.signal);
  }
}

/** The error as one that time may heal; throws every other. */
function worthAnotherTry(error: unknown): StoreError {
  if (error instanceof StoreError && error.patience !== 'final') return error;
  throw error;
}

function timeLeft(options: WaitOptions, start: number, deniedSince: number | undefined): number {
  const whole = start + options.timeoutMs;
  const denial = deniedSince === undefined ? whole : deniedSince + options.denialTimeoutMs;
  return Math.min(whole, denial) - performance.now();
}

/** Doubles up to the longest pause; half of it is left to chance, so that ten pods don't ask in step. */
function pauseAfter(tries: number, { firstPauseMs, longestPauseMs }: WaitOptions): number {
  const pause = Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(tries - 1, 20));
  return pause / 2 + Math.random() * (pause / 2);
}

function givenUp(error: StoreError, start: number, tries: number): StoreError {
  const ms = performance.now() - start;
  const asked = tries === 1 ? '' : ` (asked ${tries} times in ${seconds(ms)})`;
  return new StoreError(error.code, 'final', `${error.message}${asked}`, error.hint);
}

/** Ends an attempt that hangs, when the whole time is over or the process is told to stop. */
function bounded<T>(
  attempt: () => Promise<T>,
  { signal }: WaitOptions,
  deadline: number,
  timeIsOver: StoreError,
): Promise<T> {
  if (signal.aborted) return Promise.reject(stopped());
  return new Promise<T>((resolve, reject) => {
    const onTime = () => reject(timeIsOver);
    const onStop = () => reject(stopped());
    const timer = setTimeout(onTime, Math.max(0, deadline - performance.now()));
    signal.addEventListener('abort', onStop, { once: true });
    const cleanUp = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onStop);
    };
    // Settling twice does nothing: whichever of the three comes first counts.
    attempt().then(resolve, reject).finally(cleanUp);
  });
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onStop = () => {
      clearTimeout(timer);
      reject(stopped());
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', onStop);
      resolve();
    }, ms);
    signal.addEventListener('abort', onStop, { once: true });
  });
}

function stopped(): StoreError {
  return new StoreError('STORE_UNREACHABLE', 'final', 'told to stop before the store had answered');
}

/** `0.5 s`, `12 s`. */
export function seconds(ms: number): string {
  return `${ms < 9950 ? (ms / 1000).toFixed(1) : Math.round(ms / 1000)} s`;
}
