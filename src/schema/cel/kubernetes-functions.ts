// Quantities, versions, named formats, optional values and the parts of timestamps.
import { hasFormat } from '../formats.ts';
import { CelError, type FunctionRow, fn } from './function-row.ts';
import {
  type Key,
  type ListValue,
  listOf,
  type MapValue,
  type OptionalValue,
  type Tagged,
  tagged,
  type Value,
} from './value.ts';

type Quantity = Extract<Tagged, { kind: 'quantity' }>;
type Semver = Extract<Tagged, { kind: 'semver' }>;
type Format = Extract<Tagged, { kind: 'format' }>;
type Nanos = { readonly nanos: bigint };

const NANO = 1_000_000_000n;
const POWERS: { readonly [suffix: string]: readonly [base: bigint, exponent: bigint] } = {
  n: [10n, -9n],
  u: [10n, -6n],
  m: [10n, -3n],
  '': [10n, 0n],
  k: [10n, 3n],
  M: [10n, 6n],
  G: [10n, 9n],
  T: [10n, 12n],
  P: [10n, 15n],
  E: [10n, 18n],
  Ki: [2n, 10n],
  Mi: [2n, 20n],
  Gi: [2n, 30n],
  Ti: [2n, 40n],
  Pi: [2n, 50n],
  Ei: [2n, 60n],
};

/** The quantity a text writes, in billionths, rounded up as Kubernetes does; undefined when it writes none. */
export function readQuantity(text: string): Quantity | undefined {
  const parts =
    /^(?<sign>[+-]?)(?<whole>\d*)(?:\.(?<part>\d*))?(?:[eE](?<exponent>[+-]?\d{1,3})|(?<suffix>[KMGTPE]i|[numkMGTPE]?))$/u.exec(
      text,
    )?.groups;
  if (parts === undefined) return undefined;
  const { sign, whole = '', part = '', exponent, suffix = '' } = parts;
  if (whole === '' && part === '') return undefined;
  const [base, power] =
    exponent === undefined ? (POWERS[suffix] ?? [10n, 0n]) : [10n, BigInt(exponent)];
  const digits = BigInt(whole + part) * NANO * (power < 0n ? 1n : base ** power);
  const divisor = 10n ** BigInt(part.length) * (power < 0n ? base ** -power : 1n);
  const size = (digits + divisor - 1n) / divisor;
  return { kind: 'quantity', nanos: sign === '-' ? -size : size, text };
}

function quantity(text: string): Quantity {
  const read = readQuantity(text);
  if (read === undefined) {
    throw new CelError(
      "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
    );
  }
  return read;
}

const made = (nanos: bigint): Quantity => ({ kind: 'quantity', nanos, text: '' });
const order = (a: bigint, b: bigint) => (a === b ? 0n : a < b ? -1n : 1n);

function whole({ nanos }: Quantity): bigint {
  if (nanos % NANO !== 0n) throw new CelError('cannot convert value to integer');
  return nanos / NANO;
}

const QUANTITIES: readonly FunctionRow[] = [
  fn('isQuantity(string): bool', (a: string) => readQuantity(a) !== undefined),
  fn('quantity(string): quantity', quantity),
  fn('sign(quantity): int', (a: Quantity) => order(a.nanos, 0n)),
  fn('quantity.isInteger(): bool', (a: Quantity) => a.nanos % NANO === 0n),
  fn('quantity.asInteger(): int', whole),
  fn('quantity.asApproximateFloat(): double', (a: Quantity) => Number(a.nanos) / 1e9),
  fn('quantity.isGreaterThan(quantity): bool', (a: Quantity, b: Quantity) => a.nanos > b.nanos),
  fn('quantity.isLessThan(quantity): bool', (a: Quantity, b: Quantity) => a.nanos < b.nanos),
  fn('quantity.compareTo(quantity): int', (a: Quantity, b: Quantity) => order(a.nanos, b.nanos)),
  fn('quantity.add(quantity): quantity', (a: Quantity, b: Quantity) => made(a.nanos + b.nanos)),
  fn('quantity.add(int): quantity', (a: Quantity, b: bigint) => made(a.nanos + b * NANO)),
  fn('quantity.sub(quantity): quantity', (a: Quantity, b: Quantity) => made(a.nanos - b.nanos)),
  fn('quantity.sub(int): quantity', (a: Quantity, b: bigint) => made(a.nanos - b * NANO)),
];

function readSemver(text: string, normalize = false): Semver | undefined {
  const tidy = normalize ? text.replace(/^v/u, '') : text;
  const parts =
    /^(?<numbers>\d+(?:\.\d+){0,2})(?:-(?<pre>[0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]+)?$/u.exec(
      tidy,
    )?.groups;
  const numbers = (parts?.['numbers'] ?? '').split('.');
  if (parts === undefined || (!normalize && numbers.length < 3)) return undefined;
  if (!normalize && numbers.some((number) => /^0\d/u.test(number))) return undefined;
  return {
    kind: 'semver',
    parts: [0, 1, 2].map((i) => BigInt(numbers[i] ?? '0')),
    pre: parts['pre'] ?? '',
  };
}

function semver(text: string, normalize = false): Semver {
  const read = readSemver(text, normalize);
  if (read === undefined) throw new CelError(`No Major.Minor.Patch elements found: ${text}`);
  return read;
}

function compareSemver(a: Semver, b: Semver): bigint {
  for (const [i, part] of a.parts.entries()) {
    const difference = order(part, b.parts[i] ?? 0n);
    if (difference !== 0n) return difference;
  }
  if (a.pre === b.pre) return 0n;
  if (a.pre === '' || b.pre === '') return a.pre === '' ? 1n : -1n;
  return comparePrereleases(a.pre.split('.'), b.pre.split('.'));
}

function comparePrereleases(a: readonly string[], b: readonly string[]): bigint {
  for (const [i, left] of a.entries()) {
    const right = b[i];
    if (right === undefined) return 1n;
    if (left === right) continue;
    const [isLeft, isRight] = [/^\d+$/u.test(left), /^\d+$/u.test(right)];
    if (isLeft && isRight) return order(BigInt(left), BigInt(right));
    if (isLeft !== isRight) return isLeft ? -1n : 1n;
    return left < right ? -1n : 1n;
  }
  return -1n;
}

const VERSIONS: readonly FunctionRow[] = [
  fn('isSemver(string): bool', (a: string) => readSemver(a) !== undefined),
  fn('isSemver(string, bool): bool', (a: string, b: boolean) => readSemver(a, b) !== undefined),
  fn('semver(string): semver', (a: string) => semver(a)),
  fn('semver(string, bool): semver', semver),
  fn('semver.major(): int', (a: Semver) => a.parts[0] ?? 0n),
  fn('semver.minor(): int', (a: Semver) => a.parts[1] ?? 0n),
  fn('semver.patch(): int', (a: Semver) => a.parts[2] ?? 0n),
  fn('semver.isLessThan(semver): bool', (a: Semver, b: Semver) => compareSemver(a, b) < 0n),
  fn('semver.isGreaterThan(semver): bool', (a: Semver, b: Semver) => compareSemver(a, b) > 0n),
  fn('semver.compareTo(semver): int', compareSemver),
];

const LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/u;
const SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/u;
const NAMED_FORMATS: { readonly [name: string]: (text: string) => boolean } = {
  dns1123Label: (text) => text.length <= 63 && LABEL.test(text),
  dns1123Subdomain: (text) => text.length <= 253 && SUBDOMAIN.test(text),
  dns1035Label: (text) => text.length <= 63 && /^[a-z]([-a-z0-9]*[a-z0-9])?$/u.test(text),
  qualifiedName: (text) => {
    const [prefix, name, more] = text.includes('/') ? text.split('/') : [undefined, text];
    return (
      more === undefined &&
      (prefix === undefined || SUBDOMAIN.test(prefix)) &&
      /^(?=.{1,63}$)([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/u.test(name ?? '')
    );
  },
  dns1123LabelPrefix: (text) => LABEL.test(text.replace(/-$/u, 'a')),
  dns1123SubdomainPrefix: (text) => SUBDOMAIN.test(text.replace(/-$/u, 'a')),
  dns1035LabelPrefix: (text) => /^[a-z]([-a-z0-9]*[a-z0-9])?$/u.test(text.replace(/-$/u, 'a')),
  labelValue: (text) =>
    text === '' || /^(?=.{1,63}$)([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/u.test(text),
  uri: (text) => hasFormat(text, 'uri'),
  uuid: (text) => hasFormat(text, 'uuid'),
  byte: (text) => hasFormat(text, 'byte'),
  date: (text) => hasFormat(text, 'date'),
  datetime: (text) => hasFormat(text, 'date-time'),
};

const some = (value: Value): OptionalValue => ({ kind: 'optional', value });
const NONE: OptionalValue = { kind: 'optional' };

const FORMATS: readonly FunctionRow[] = [
  fn('format::named(string): optional<format>', (name: string) =>
    Object.hasOwn(NAMED_FORMATS, name) ? some({ kind: 'format', name }) : NONE,
  ),
  ...Object.keys(NAMED_FORMATS).map((name) =>
    fn(`format::${name}(): format`, () => ({ kind: 'format', name })),
  ),
  fn('format.validate(string): optional<list<string>>', ({ name }: Format, text: string) =>
    NAMED_FORMATS[name]?.(text) ? NONE : some(listOf([`must be a valid ${name}`])),
  ),
];

function contentOf({ value }: OptionalValue): Value {
  if (value === undefined) throw new CelError('optional.none() dereference');
  return value;
}

const maybe = (value: Value | undefined) => (value === undefined ? NONE : some(value));
const itemAt = ({ items }: ListValue, index: bigint) => maybe(items[Number(index)]);
const entryAt = ({ entries }: MapValue, key: Key) => maybe(entries.get(key));

function within({ value = null }: OptionalValue, key: Key): OptionalValue {
  const [list, map] = [tagged(value, 'list'), tagged(value, 'map')];
  if (list !== undefined) return itemAt(list, key as bigint);
  return map === undefined ? NONE : entryAt(map, key);
}

const OPTIONALS: readonly FunctionRow[] = [
  fn('_[?_](list<A>, int): optional<A>', itemAt),
  fn('_[?_](map<A, B>, A): optional<B>', entryAt),
  fn('_[?_](optional<list<A>>, int): optional<A>', within),
  fn('_[?_](optional<map<A, B>>, A): optional<B>', within),
  fn('optional::of(A): optional<A>', some),
  fn('optional::none(): optional<A>', () => NONE),
  fn('optional::ofNonZeroValue(A): optional<A>', (a: Value) =>
    [null, false, 0n, 0, ''].includes(a as null) ? NONE : some(a),
  ),
  fn('optional<A>.hasValue(): bool', ({ value }: OptionalValue) => value !== undefined),
  fn('optional<A>.value(): A', contentOf),
  fn('optional<A>.orValue(A): A', ({ value }: OptionalValue, other: Value) => value ?? other),
  fn('optional<A>.or(optional<A>): optional<A>', (a: OptionalValue, b: OptionalValue) =>
    a.value === undefined ? b : a,
  ),
];

const DATE_PARTS: { readonly [getter: string]: (date: Date) => number } = {
  getFullYear: (date) => date.getUTCFullYear(),
  getMonth: (date) => date.getUTCMonth(),
  getDate: (date) => date.getUTCDate(),
  getDayOfMonth: (date) => date.getUTCDate() - 1,
  getDayOfWeek: (date) => date.getUTCDay(),
  getDayOfYear: (date) =>
    Math.floor((date.getTime() - Date.UTC(date.getUTCFullYear(), 0, 1)) / 86_400_000),
  getHours: (date) => date.getUTCHours(),
  getMinutes: (date) => date.getUTCMinutes(),
  getSeconds: (date) => date.getUTCSeconds(),
  getMilliseconds: (date) => date.getUTCMilliseconds(),
};

const UNITS: { readonly [getter: string]: bigint } = {
  getHours: 3600n * NANO,
  getMinutes: 60n * NANO,
  getSeconds: NANO,
};

const DATES: readonly FunctionRow[] = [
  ...Object.entries(DATE_PARTS).map(([getter, part]) =>
    fn(`timestamp.${getter}(): int`, ({ nanos }: Nanos) =>
      BigInt(part(new Date(Number(nanos / 1_000_000n)))),
    ),
  ),
  ...Object.entries(UNITS).map(([getter, unit]) =>
    fn(`duration.${getter}(): int`, ({ nanos }: Nanos) => nanos / unit),
  ),
  fn('duration.getMilliseconds(): int', ({ nanos }: Nanos) => (nanos / 1_000_000n) % 1000n),
];

/** Functions on quantities, versions, formats, optional values and dates. */
export const KUBERNETES_FUNCTIONS: readonly FunctionRow[] = [
  ...QUANTITIES,
  ...VERSIONS,
  ...FORMATS,
  ...OPTIONALS,
  ...DATES,
];
