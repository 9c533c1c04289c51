// Guards the way into protobuf: its Struct turns a Date into {} and NaN into a number no API server reads.

/**
 * Throws a TypeError that names the place of a value that is no JSON: a number that is not finite, a
 * function, a bigint, an object of a class. An undefined field is allowed, and left out as in JSON.
 */
export function assertJson(value: unknown, place: string): void {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return;
  if (typeof value === 'number' && Number.isFinite(value)) return;
  if (Array.isArray(value)) {
    for (const [index, child] of value.entries()) assertJson(child, `${place}[${index}]`);
    return;
  }
  if (!isPlainObject(value)) {
    throw new TypeError(`${place} is ${typeof value} ${String(value)}: expected a JSON value`);
  }
  for (const [key, child] of Object.entries(value)) {
    if (child !== undefined) assertJson(child, `${place}.${key}`);
  }
}

function isPlainObject(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
