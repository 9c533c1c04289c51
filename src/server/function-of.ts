// Our function: compose behind the handler.
import { compose } from '../compose/compose.ts';
import { type Handler, handler } from './handler.ts';

/** Answers requests with what compose decides; `onDefect` is told of what compose should not have thrown. */
export function functionOf(onDefect: (error: unknown) => void): Handler {
  return handler((observation) => compose(observation), onDefect);
}
