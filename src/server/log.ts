// One line of JSON an event, so that a cluster's log pipeline can read it. Quiet: at the info level a
// process that runs well says that it listens and that it ends. Names only, never the content of an XR.

export type Level = 'debug' | 'info' | 'warn' | 'error';

export type Log = (level: Level, message: string, fields?: LogFields) => void;

export interface LogFields {
  readonly [name: string]: string | number | boolean | undefined;
}

/** Writes events as lines with the time first; `debug` events only when asked for. */
export function jsonLog(
  write: (line: string) => void,
  options: { readonly debug: boolean; readonly now: () => Date },
): Log {
  return (level, message, fields = {}) => {
    if (level === 'debug' && !options.debug) return;
    write(`${JSON.stringify({ time: options.now().toISOString(), level, message, ...fields })}\n`);
  };
}
