// The extension functions on strings and lists that Kubernetes adds to CEL. Positions count code points.
import { compilePattern } from '../pattern.ts';
import { compare, isEqual } from './equality.ts';
import {
  CelError,
  type FunctionRow,
  fn,
  type Operand,
  type Size,
  times,
  traversal,
} from './function-row.ts';
import { kindOf, type ListValue, listOf, type Value } from './value.ts';

const own = { cost: (a: Operand) => traversal(a.size.max), size: (a: Operand) => a.size };
const twice = { cost: (a: Operand) => traversal(a.size.max, 0.2) };
const found = {
  cost: (a: Operand, b: Operand) => times(traversal(a.size.max + 1), traversal(b.size.max, 0.25)),
  size: (a: Operand): Size => ({ min: 0, max: a.size.max }),
};

function slice(text: string, from: bigint, to?: bigint): string {
  const chars = [...text];
  const [start, end] = [Number(from), to === undefined ? chars.length : Number(to)];
  if (start < 0 || end > chars.length || start > end) {
    throw new CelError(`index out of range: ${start < 0 || start > chars.length ? start : end}`);
  }
  return chars.slice(start, end).join('');
}

/** The code point at which a part first, or last, stands; -1 when it does not. */
function position(text: string, part: string, from: bigint | undefined, last: boolean): bigint {
  const [chars, wanted] = [[...text], [...part]];
  const isAt = (at: number) => wanted.every((char, i) => chars[at + i] === char);
  const places = Array.from({ length: chars.length - wanted.length + 1 }, (_, at) => at);
  if (from !== undefined && (from < 0n || from > BigInt(chars.length))) {
    throw new CelError(`index out of range: ${from}`);
  }
  const at = last
    ? places.filter((place) => from === undefined || place <= from).findLast(isAt)
    : places.filter((place) => place >= (from ?? 0n)).find(isAt);
  return BigInt(at ?? -1);
}

function split(text: string, separator: string, limit = -1n): Value {
  const parts = separator === '' ? [...text] : text.split(separator);
  if (limit === 0n) return listOf([]);
  if (limit < 0n || parts.length <= limit) return listOf(parts);
  const most = Number(limit) - 1;
  return listOf([...parts.slice(0, most), parts.slice(most).join(separator)]);
}

function replace(text: string, from: string, to: string, limit = -1n): string {
  let left = limit < 0n ? Number.POSITIVE_INFINITY : Number(limit);
  if (from === '') {
    const chars = ['', ...text];
    return chars.map((char) => (left-- > 0 ? char + to : char)).join('');
  }
  return text.split(from).reduce((done, part) => done + (left-- > 0 ? to : from) + part);
}

/** The longest text a replacement can make, as the API server reckons it. */
function replacedSize(text: Operand, from: Operand, to: Operand): Size {
  if (from.size.min === 0) {
    return { min: 0, max: times(text.size.max + 1, to.size.max) + text.size.max };
  }
  if (to.size.max <= from.size.min) return { min: 0, max: text.size.max };
  return { min: 0, max: times(Math.ceil(text.size.max / from.size.min), to.size.max) };
}

function regexp(pattern: string) {
  const compiled = compilePattern(pattern);
  if ('error' in compiled) throw new CelError(compiled.error);
  return compiled.regexp;
}

function findAll(text: string, pattern: string, limit = -1n): readonly string[] {
  const matcher = regexp(pattern).matcher(text);
  const matches: string[] = [];
  while ((limit < 0n || matches.length < limit) && matcher.find()) {
    matches.push(matcher.group() ?? '');
  }
  return matches;
}

/** Fills a format text, `%s is %d`, the verbs of cel-go's string extension. */
function format(text: string, { items }: ListValue): string {
  let next = 0;
  return text.replaceAll(
    /%(?:%|(?:\.(?<digits>\d+))?(?<verb>[sdfexXob]))/gu,
    (match, ...groups) => {
      if (match === '%%') return '%';
      const { verb = '', digits } = groups.at(-1) as { verb?: string; digits?: string };
      const value = items[next++];
      if (value === undefined) throw new CelError(`index ${next - 1} out of range`);
      return formatted(value, verb, digits === undefined ? 6 : Number(digits));
    },
  );
}

function formatted(value: Value, verb: string, digits: number): string {
  const number = typeof value === 'bigint' || typeof value === 'number' ? value : undefined;
  if (verb === 's') return display(value);
  if (verb === 'd') return display(value);
  if (verb === 'f') return Number(number ?? Number.NaN).toFixed(digits);
  if (verb === 'e') return Number(number ?? Number.NaN).toExponential(digits);
  const base = { x: 16, X: 16, o: 8, b: 2 }[verb] ?? 10;
  const shown =
    typeof value === 'string'
      ? Buffer.from(value).toString('hex')
      : typeof value === 'boolean'
        ? String(Number(value))
        : (number?.toString(base) ?? '');
  return verb === 'X' ? shown.toUpperCase() : shown;
}

function display(value: Value): string {
  if (value === null) return 'null';
  if (typeof value !== 'object') return String(value);
  if (value instanceof Uint8Array) return Buffer.from(value).toString('utf8');
  if (value.kind === 'list') return `[${value.items.map(display).join(', ')}]`;
  if (value.kind === 'uint') return value.value.toString();
  return `${kindOf(value)}`;
}

const upTo = (letters: RegExp, change: (char: string) => string) => (text: string) =>
  text.replaceAll(letters, change);

const TEXT: readonly FunctionRow[] = [
  fn(
    'string.lowerAscii(): string',
    upTo(/[A-Z]/gu, (char) => char.toLowerCase()),
    own,
  ),
  fn(
    'string.upperAscii(): string',
    upTo(/[a-z]/gu, (char) => char.toUpperCase()),
    own,
  ),
  fn('string.trim(): string', (a: string) => a.replaceAll(/^\s+|\s+$/gu, ''), own),
  fn('string.substring(int): string', slice, own),
  fn('string.substring(int, int): string', slice, own),
  fn('string.charAt(int): string', (a: string, at: bigint) =>
    at === BigInt([...a].length) ? '' : slice(a, at, at + 1n),
  ),
  fn(
    'string.indexOf(string): int',
    (a: string, b: string) => position(a, b, undefined, false),
    own,
  ),
  fn(
    'string.indexOf(string, int): int',
    (a: string, b: string, c: bigint) => position(a, b, c, false),
    own,
  ),
  fn(
    'string.lastIndexOf(string): int',
    (a: string, b: string) => position(a, b, undefined, true),
    own,
  ),
  fn(
    'string.lastIndexOf(string, int): int',
    (a: string, b: string, c: bigint) => position(a, b, c, true),
    own,
  ),
  fn('string.replace(string, string): string', replace, { ...twice, size: replacedSize }),
  fn('string.replace(string, string, int): string', replace, { ...twice, size: replacedSize }),
  fn('string.split(string): list<string>', split, { ...twice, size: found.size }),
  fn('string.split(string, int): list<string>', split, { ...twice, size: found.size }),
  fn('string.format(list<dyn>): string', format, {
    cost: (a) => traversal(a?.size.max ?? 0),
    size: (a) => ({ min: 0, max: a?.size.max ?? 0 }),
  }),
  fn('strings::quote(string): string', (a: string) => JSON.stringify(a), own),
  fn('string.find(string): string', (a: string, b: string) => findAll(a, b, 1n)[0] ?? '', found),
  fn(
    'string.findAll(string): list<string>',
    (a: string, b: string) => listOf(findAll(a, b)),
    found,
  ),
  fn(
    'string.findAll(string, int): list<string>',
    (a: string, b: string, c: bigint) => listOf(findAll(a, b, c)),
    found,
  ),
  ...['list<string>.join()', 'list<string>.join(string)'].map((call) =>
    fn(`${call}: string`, ({ items }: ListValue, separator = '') => items.join(separator), {
      cost: (list, separator) => traversal(joinedSize(list, separator)),
      size: (list, separator) => ({ min: 0, max: joinedSize(list, separator) }),
    }),
  ),
];

function joinedSize(list: Operand | undefined, separator: Operand | undefined): number {
  const count = list?.size.max ?? 0;
  const texts = times(count, list?.itemSize.max ?? 0);
  return texts + times(Math.max(0, count - 1), separator?.size.max ?? 0);
}

const each = {
  cost: (list: Operand) => {
    const { type } = list;
    const isText = type.kind === 'list' && ['string', 'bytes'].includes(type.item.kind);
    return times(list.size.max, isText ? 1 + traversal(list.itemSize.max) : 1);
  },
};

function extreme({ items }: ListValue, wanted: number): Value {
  if (items.length === 0) throw new CelError(`${wanted < 0 ? 'min' : 'max'} called on empty list`);
  return items.reduce((best, item) => (Math.sign(compare(item, best)) === wanted ? item : best));
}

const SUMMABLE: readonly (readonly [string, Value])[] = [
  ['int', 0n],
  ['uint', { kind: 'uint', value: 0n }],
  ['double', 0],
  ['duration', { kind: 'duration', nanos: 0n }],
];

function add(a: Value, b: Value): Value {
  if (typeof a === 'bigint' && typeof b === 'bigint') return a + b;
  if (typeof a === 'number' && typeof b === 'number') return a + b;
  if (a !== null && b !== null && typeof a === 'object' && typeof b === 'object') {
    if ('nanos' in a && 'nanos' in b) return { kind: 'duration', nanos: a.nanos + b.nanos };
    if ('kind' in a && 'kind' in b && a.kind === 'uint' && b.kind === 'uint') {
      return { kind: 'uint', value: a.value + b.value };
    }
  }
  throw new CelError('no such overload');
}

const within = (a: ListValue, b: ListValue) =>
  b.items.every((item) => a.items.some((one) => isEqual(one, item)));
const product = { cost: (a: Operand, b: Operand) => 1 + times(a.size.max, b.size.max) };

const LISTS: readonly FunctionRow[] = [
  fn(
    'list<A>.isSorted(): bool',
    ({ items }: ListValue) =>
      items.every((item, i) => i === 0 || compare(items[i - 1] ?? null, item) <= 0),
    each,
  ),
  fn('list<A>.min(): A', (list: ListValue) => extreme(list, -1), each),
  fn('list<A>.max(): A', (list: ListValue) => extreme(list, 1), each),
  ...SUMMABLE.map(([type, zero]) =>
    fn(`list<${type}>.sum(): ${type}`, ({ items }: ListValue) => items.reduce(add, zero), each),
  ),
  fn(
    'list<A>.indexOf(A): int',
    ({ items }: ListValue, a: Value) => BigInt(items.findIndex((item) => isEqual(item, a))),
    each,
  ),
  fn(
    'list<A>.lastIndexOf(A): int',
    ({ items }: ListValue, a: Value) => BigInt(items.findLastIndex((item) => isEqual(item, a))),
    each,
  ),
  fn('sets::contains(list<A>, list<A>): bool', within, product),
  fn(
    'sets::intersects(list<A>, list<A>): bool',
    (a: ListValue, b: ListValue) =>
      b.items.some((item) => a.items.some((one) => isEqual(one, item))),
    product,
  ),
  fn(
    'sets::equivalent(list<A>, list<A>): bool',
    (a: ListValue, b: ListValue) => within(a, b) && within(b, a),
    product,
  ),
];

/** Functions on strings and lists. */
export const TEXT_FUNCTIONS: readonly FunctionRow[] = [...TEXT, ...LISTS];
