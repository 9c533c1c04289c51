// When two values of CEL are equal, and which of two comes first.
import { compareStrings } from '../../core/json.ts';
import { CelError } from './function-row.ts';
import { kindOf, type ListValue, type MapValue, type Tagged, tagged, type Value } from './value.ts';

/** Equality of CEL: numbers by value whatever their type, sets without order, different kinds never. */
export function isEqual(a: Value, b: Value): boolean {
  const [left, right] = [numeric(a), numeric(b)];
  if (left !== undefined && right !== undefined) return numbersEqual(left, right);
  if (kindOf(a) !== kindOf(b)) return false;
  if (a instanceof Uint8Array && b instanceof Uint8Array) return Buffer.compare(a, b) === 0;
  if (a === null || typeof a !== 'object' || a instanceof Uint8Array) return a === b;
  return tagsEqual(a, b as Tagged);
}

function tagsEqual(a: Tagged, b: Tagged): boolean {
  if (a.kind === 'list' && b.kind === 'list') return listsEqual(a, b);
  if (a.kind === 'map' && b.kind === 'map') return mapsEqual(a, b);
  if (a.kind === 'quantity' && b.kind === 'quantity') return a.nanos === b.nanos;
  if (a.kind !== 'optional' || b.kind !== 'optional') return text(a) === text(b);
  return a.value === undefined || b.value === undefined
    ? a.value === b.value
    : isEqual(a.value, b.value);
}

function text(value: Value): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'bigint' ? part.toString() : part,
  );
}

function numeric(value: Value): number | bigint | undefined {
  if (typeof value === 'bigint' || typeof value === 'number') return value;
  return tagged(value, 'uint')?.value;
}

function numbersEqual(a: number | bigint, b: number | bigint): boolean {
  // biome-ignore lint/suspicious/noDoubleEquals: an integer and a double are equal when they are the same number, which only == compares exactly
  return a == b;
}

function listsEqual(a: ListValue, b: ListValue): boolean {
  if (a.items.length !== b.items.length) return false;
  const keys = a.keys ?? b.keys;
  if (keys === undefined) return a.items.every((item, i) => isEqual(item, b.items[i] ?? null));
  return a.items.every((item) => b.items.some((other) => isEqual(item, other)));
}

function mapsEqual(a: MapValue, b: MapValue): boolean {
  if (a.entries.size !== b.entries.size) return false;
  return [...a.entries].every(([key, value]) => {
    const other = b.entries.get(key);
    return other !== undefined && isEqual(value, other);
  });
}

/** Below zero, zero or above: how two ordered values stand. Throws a CelError for values without order. */
export function compare(a: Value, b: Value): number {
  const [left, right] = [numeric(a), numeric(b)];
  if (left !== undefined && right !== undefined) return order(left, right);
  if (typeof a === 'string' && typeof b === 'string') return compareStrings(a, b);
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b);
  if (a instanceof Uint8Array && b instanceof Uint8Array) return Buffer.compare(a, b);
  const [from, to] = [nanosOf(a), nanosOf(b)];
  if (from === undefined || to === undefined || kindOf(a) !== kindOf(b)) {
    throw new CelError('no such overload');
  }
  return order(from, to);
}

function order(a: number | bigint, b: number | bigint): number {
  if (a < b) return -1;
  return a > b ? 1 : 0;
}

function nanosOf(value: Value): bigint | undefined {
  return (tagged(value, 'timestamp') ?? tagged(value, 'duration'))?.nanos;
}
