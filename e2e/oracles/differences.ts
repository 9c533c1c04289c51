// What two sides say about one value, as lines a person reads; and the differences that are explained by a fact.
import { isList, isObject, type Json, sameJson } from '../../src/core/json.ts';

export interface Difference {
  readonly case: string;
  readonly path: string;
  readonly theirs: string;
  readonly ours: string;
}

/** A kind of difference that stays, with the fact behind it. */
export interface Explained {
  readonly oracle: 'api' | 'render';
  readonly matches: (difference: Difference) => boolean;
  readonly because: string;
  readonly source: string;
}

/** Where the two values differ, each place once; lists are compared item by item. */
export function differencesOf(
  name: string,
  theirs: Json | undefined,
  ours: Json | undefined,
  path = '',
): readonly Difference[] {
  if (sameJson(theirs, ours)) return [];
  if (isObject(theirs) && isObject(ours)) {
    const keys = [...new Set([...Object.keys(theirs), ...Object.keys(ours)])];
    return keys.flatMap((key) => differencesOf(name, theirs[key], ours[key], join(path, key)));
  }
  if (isList(theirs) && isList(ours) && theirs.length === ours.length) {
    return theirs.flatMap((item, i) => differencesOf(name, item, ours[i], `${path}[${i}]`));
  }
  return [{ case: name, path, theirs: text(theirs), ours: text(ours) }];
}

function join(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}

function text(value: Json | undefined): string {
  const shown = value === undefined ? 'nothing' : JSON.stringify(value);
  return shown.length > 400 ? `${shown.slice(0, 400)}…` : shown;
}

/** The report of an oracle; each difference with both sides, explained ones only counted. */
export function report(
  oracle: Explained['oracle'],
  found: readonly Difference[],
  explained: readonly Explained[],
  say: (line: string) => void,
): number {
  const reasons = explained.filter((one) => one.oracle === oracle);
  const open = found.filter((one) => !reasons.some((reason) => reason.matches(one)));
  for (const reason of reasons) {
    const count = found.filter(reason.matches).length;
    say(`${count} differences are explained: ${reason.because} (${reason.source})`);
  }
  for (const one of open.slice(0, 20)) {
    say(`${one.case}: ${one.path}\n  theirs: ${one.theirs}\n  ours:   ${one.ours}`);
  }
  if (open.length > 20) say(`and ${open.length - 20} more`);
  return open.length;
}
