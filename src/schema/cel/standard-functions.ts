// The operators and the standard functions of CEL.
import { matches } from '../pattern.ts';
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
import { formatDuration, formatTimestamp, parseDuration, parseTimestamp } from './time.ts';
import {
  type Key,
  kindOf,
  type ListValue,
  listOf,
  type MapValue,
  tagged,
  type Value,
} from './value.ts';

const INT_MAX = 2n ** 63n - 1n;

function int(value: bigint): bigint {
  if (value > INT_MAX || value < -INT_MAX - 1n) throw new CelError('integer overflow');
  return value;
}

type Uint = { readonly kind: 'uint'; readonly value: bigint };
type Nanos = { readonly kind: 'timestamp' | 'duration'; readonly nanos: bigint };

function uint(value: bigint): Uint {
  if (value < 0n || value >= 2n ** 64n) throw new CelError('unsigned integer overflow');
  return { kind: 'uint', value };
}

function nonZero(value: bigint, operation: string): bigint {
  if (value === 0n) throw new CelError(`${operation} by zero`);
  return value;
}

const duration = (nanos: bigint): Nanos => ({ kind: 'duration', nanos });
const timestamp = (nanos: bigint): Nanos => ({ kind: 'timestamp', nanos });
const sum = (a: Operand, b: Operand): Size => ({
  min: a.size.min + b.size.min,
  max: a.size.max + b.size.max,
});
const joinTexts = { cost: (a: Operand, b: Operand) => traversal(sum(a, b).max), size: sum };

const ARITHMETIC: readonly FunctionRow[] = [
  fn('_+_(int, int): int', (a: bigint, b: bigint) => int(a + b)),
  fn('_+_(uint, uint): uint', (a: Uint, b: Uint) => uint(a.value + b.value)),
  fn('_+_(double, double): double', (a: number, b: number) => a + b),
  fn('_+_(string, string): string', (a: string, b: string) => a + b, joinTexts),
  fn(
    '_+_(bytes, bytes): bytes',
    (a: Uint8Array, b: Uint8Array) => Buffer.concat([a, b]),
    joinTexts,
  ),
  fn('_+_(list<A>, list<A>): list<A>', joinLists, { size: sum }),
  fn('_+_(timestamp, duration): timestamp', (a: Nanos, b: Nanos) => timestamp(a.nanos + b.nanos)),
  fn('_+_(duration, timestamp): timestamp', (a: Nanos, b: Nanos) => timestamp(a.nanos + b.nanos)),
  fn('_+_(duration, duration): duration', (a: Nanos, b: Nanos) => duration(a.nanos + b.nanos)),
  fn('_-_(int, int): int', (a: bigint, b: bigint) => int(a - b)),
  fn('_-_(uint, uint): uint', (a: Uint, b: Uint) => uint(a.value - b.value)),
  fn('_-_(double, double): double', (a: number, b: number) => a - b),
  fn('_-_(timestamp, timestamp): duration', (a: Nanos, b: Nanos) => duration(a.nanos - b.nanos)),
  fn('_-_(timestamp, duration): timestamp', (a: Nanos, b: Nanos) => timestamp(a.nanos - b.nanos)),
  fn('_-_(duration, duration): duration', (a: Nanos, b: Nanos) => duration(a.nanos - b.nanos)),
  fn('_*_(int, int): int', (a: bigint, b: bigint) => int(a * b)),
  fn('_*_(uint, uint): uint', (a: Uint, b: Uint) => uint(a.value * b.value)),
  fn('_*_(double, double): double', (a: number, b: number) => a * b),
  fn('_/_(int, int): int', (a: bigint, b: bigint) => int(a / nonZero(b, 'division'))),
  fn('_/_(uint, uint): uint', (a: Uint, b: Uint) => uint(a.value / nonZero(b.value, 'division'))),
  fn('_/_(double, double): double', (a: number, b: number) => a / b),
  fn('_%_(int, int): int', (a: bigint, b: bigint) => int(a % nonZero(b, 'modulus'))),
  fn('_%_(uint, uint): uint', (a: Uint, b: Uint) => uint(a.value % nonZero(b.value, 'modulus'))),
  fn('-_(int): int', (a: bigint) => int(-a)),
  fn('-_(double): double', (a: number) => -a),
  fn('!_(bool): bool', (a: boolean) => !a),
];

/** Sets and maps are merged, other lists appended. */
function joinLists(a: ListValue, b: ListValue): Value {
  if (a.keys === undefined) return listOf([...a.items, ...b.items]);
  const keyed = (item: Value) =>
    a.keys?.length === 0 ? item : listOf((a.keys ?? []).map((key) => fieldOf(item, key)));
  const added = b.items.filter((item) => !a.items.some((own) => isEqual(keyed(own), keyed(item))));
  const kept = a.items.map(
    (own) => b.items.find((item) => isEqual(keyed(own), keyed(item))) ?? own,
  );
  return { ...a, items: [...kept, ...added] };
}

function fieldOf(item: Value, key: string): Value {
  return tagged(item, 'map')?.entries.get(key) ?? null;
}

const shorter = (a: Operand, b: Operand) => traversal(Math.min(a.size.max, b.size.max));
const ORDERED = ['int', 'uint', 'double', 'string', 'bytes', 'bool', 'timestamp', 'duration'];
const NUMERIC = ['int', 'uint', 'double'];
const PAIRS = [
  ...ORDERED.map((type) => [type, type] as const),
  ...NUMERIC.flatMap((a) => NUMERIC.filter((b) => b !== a).map((b) => [a, b] as const)),
];

function ordering(name: string, holds: (order: number) => boolean): readonly FunctionRow[] {
  return PAIRS.map(([a, b]) =>
    fn(
      `${name}(${a}, ${b}): bool`,
      (left: Value, right: Value) => holds(compare(left, right)),
      a === 'string' || a === 'bytes' ? { cost: shorter } : {},
    ),
  );
}

const COMPARISON: readonly FunctionRow[] = [
  fn('_==_(A, A): bool', isEqual, { cost: shorter }),
  fn('_!=_(A, A): bool', (a: Value, b: Value) => !isEqual(a, b), { cost: shorter }),
  ...ordering('_<_', (order) => order < 0),
  ...ordering('_<=_', (order) => order <= 0),
  ...ordering('_>_', (order) => order > 0),
  ...ordering('_>=_', (order) => order >= 0),
  fn(
    '@in(A, list<A>): bool',
    (a: Value, list: ListValue) => list.items.some((item) => isEqual(a, item)),
    { cost: (_, list) => list?.size.max ?? 0 },
  ),
  fn('@in(A, map<A, B>): bool', (a: Key, map: MapValue) => map.entries.has(a)),
  fn('_[_](list<A>, int): A', (list: ListValue, index: bigint) => {
    const found = index < 0n ? undefined : list.items[Number(index)];
    if (found === undefined) throw new CelError(`index out of bounds: ${index}`);
    return found;
  }),
  fn('_[_](map<A, B>, A): B', (map: MapValue, key: Key) => {
    const found = map.entries.get(key);
    if (found === undefined) throw new CelError(`no such key: ${key}`);
    return found;
  }),
];

function convertInt(value: number, limit: number): bigint {
  if (!Number.isFinite(value) || Math.abs(value) >= limit) throw new CelError('integer overflow');
  return BigInt(Math.trunc(value));
}

function parseInteger(text: string, type: string): bigint {
  if (!/^[-+]?\d+$/u.test(text)) {
    throw new CelError(
      `strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax (${type})`,
    );
  }
  return BigInt(text.replace(/^\+/u, ''));
}

function parseDouble(text: string): number {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (Number.isNaN(value))
    throw new CelError(`strconv.ParseFloat: parsing ${JSON.stringify(text)}`);
  return value;
}

function parseBool(text: string): boolean {
  if (['1', 't', 'true', 'TRUE', 'True'].includes(text)) return true;
  if (['0', 'f', 'false', 'FALSE', 'False'].includes(text)) return false;
  throw new CelError(`strconv.ParseBool: parsing ${JSON.stringify(text)}: invalid syntax`);
}

function demand<T>(value: T | undefined, complaint: string): T {
  if (value === undefined) throw new CelError(complaint);
  return value;
}

const toBytes = (text: string) => Uint8Array.from(Buffer.from(text, 'utf8'));
const CONVERSION: readonly FunctionRow[] = [
  fn('int(int): int', (a: bigint) => a),
  fn('int(uint): int', (a: Uint) => int(a.value)),
  fn('int(double): int', (a: number) => int(convertInt(a, 2 ** 63))),
  fn('int(string): int', (a: string) => int(parseInteger(a, 'int'))),
  fn('int(timestamp): int', (a: Nanos) => a.nanos / 1_000_000_000n),
  fn('int(duration): int', (a: Nanos) => a.nanos),
  fn('uint(uint): uint', (a: Uint) => a),
  fn('uint(int): uint', (a: bigint) => uint(a)),
  fn('uint(double): uint', (a: number) => uint(convertInt(a, 2 ** 64))),
  fn('uint(string): uint', (a: string) => uint(parseInteger(a, 'uint'))),
  fn('double(double): double', (a: number) => a),
  fn('double(int): double', (a: bigint) => Number(a)),
  fn('double(uint): double', (a: Uint) => Number(a.value)),
  fn('double(string): double', parseDouble),
  fn('bool(bool): bool', (a: boolean) => a),
  fn('bool(string): bool', parseBool),
  fn('string(string): string', (a: string) => a),
  fn('string(int): string', (a: bigint) => a.toString()),
  fn('string(uint): string', (a: Uint) => a.value.toString()),
  fn('string(double): string', (a: number) => String(a)),
  fn('string(bool): string', (a: boolean) => String(a)),
  fn('string(bytes): string', (a: Uint8Array) => Buffer.from(a).toString('utf8'), {
    cost: (a) => traversal(a?.size.max ?? 0),
    size: (a) => ({ min: Math.floor((a?.size.min ?? 0) / 4), max: a?.size.max ?? 0 }),
  }),
  fn('string(timestamp): string', (a: Nanos) => formatTimestamp(a.nanos)),
  fn('string(duration): string', (a: Nanos) => formatDuration(a.nanos)),
  fn('bytes(bytes): bytes', (a: Uint8Array) => a),
  fn('bytes(string): bytes', toBytes, {
    cost: (a) => traversal(a?.size.max ?? 0),
    size: (a) => ({ min: a?.size.min ?? 0, max: (a?.size.max ?? 0) * 4 }),
  }),
  fn('duration(duration): duration', (a: Nanos) => a),
  fn('duration(string): duration', (a: string) =>
    duration(demand(parseDuration(a), `time: invalid duration ${JSON.stringify(a)}`)),
  ),
  fn('timestamp(timestamp): timestamp', (a: Nanos) => a),
  fn('timestamp(int): timestamp', (a: bigint) => timestamp(a * 1_000_000_000n)),
  fn('timestamp(string): timestamp', (a: string) =>
    timestamp(demand(parseTimestamp(a), `cannot parse ${JSON.stringify(a)} as a timestamp`)),
  ),
  fn('type(A): type', (a: Value) => ({ kind: 'type', name: kindOf(a) })),
  fn('dyn(A): dyn', (a: Value) => a),
];

const characters = (text: string) => BigInt([...text].length);
const SIZES: readonly FunctionRow[] = ['size(string)', 'string.size()'].map((call) =>
  fn(`${call}: int`, characters),
);
const BYTE_SIZES = ['size(bytes)', 'bytes.size()'].map((call) =>
  fn(`${call}: int`, (a: Uint8Array) => BigInt(a.length)),
);
const LIST_SIZES = ['size(list<A>)', 'list<A>.size()'].map((call) =>
  fn(`${call}: int`, (a: ListValue) => BigInt(a.items.length)),
);
const MAP_SIZES = ['size(map<A, B>)', 'map<A, B>.size()'].map((call) =>
  fn(`${call}: int`, (a: MapValue) => BigInt(a.entries.size)),
);

const affix = { cost: (_: Operand, part: Operand) => traversal(part.size.max) };
const TEXT: readonly FunctionRow[] = [
  fn('string.startsWith(string): bool', (a: string, b: string) => a.startsWith(b), affix),
  fn('string.endsWith(string): bool', (a: string, b: string) => a.endsWith(b), affix),
  fn('string.contains(string): bool', (a: string, b: string) => a.includes(b), {
    cost: (a: Operand, b: Operand) => times(traversal(a.size.max), traversal(b.size.max)),
  }),
  ...['string.matches(string)', 'matches(string, string)'].map((call) =>
    fn(`${call}: bool`, (a: string, b: string) => matches(b, a), {
      cost: (a: Operand, b: Operand) =>
        times(traversal(a.size.max + 1), traversal(b.size.max, 0.25)),
    }),
  ),
];

/** What every CEL has. */
export const STANDARD_FUNCTIONS: readonly FunctionRow[] = [
  ...ARITHMETIC,
  ...COMPARISON,
  ...CONVERSION,
  ...SIZES,
  ...BYTE_SIZES,
  ...LIST_SIZES,
  ...MAP_SIZES,
  ...TEXT,
];
