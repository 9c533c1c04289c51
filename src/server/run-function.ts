// Our function: compose behind the handler.
import { compose } from '../compose/compose.ts';
import { type Handler, handler } from './handler.ts';

/** Answers one RunFunction request with what compose decides; never throws. */
export const runFunction: Handler = functionOf(() => undefined);

/** The same, telling `onDefect` of what compose should not have thrown. */
export function functionOf(onDefect: (error: unknown) => void): Handler {
  return handler((observation) => compose(observation), onDefect);
}
