// Regular expressions as Kubernetes reads them: RE2, unanchored, without look-around or back references.
import { RE2JS } from 're2js';
import { messageOf } from '../core/problem.ts';

/** A compiled pattern, or why RE2 refuses it. */
export type Pattern = { readonly regexp: RE2JS } | { readonly error: string };

const compiled = new Map<string, Pattern>();

/** Compiles a pattern once. What JavaScript would take and RE2 does not is an error, not a match. */
export function compilePattern(pattern: string): Pattern {
  const known = compiled.get(pattern);
  if (known !== undefined) return known;
  const made = compile(pattern);
  compiled.set(pattern, made);
  return made;
}

function compile(pattern: string): Pattern {
  try {
    return { regexp: RE2JS.compile(pattern) };
  } catch (error) {
    return { error: messageOf(error) };
  }
}

/** True when the pattern is found anywhere in the text. A pattern that RE2 refuses matches nothing. */
export function matches(pattern: string, text: string): boolean {
  const made = compilePattern(pattern);
  return 'regexp' in made && made.regexp.matcher(text).find();
}
