// Guards the way into protobuf: its Struct turns a Date into {} and NaN into a number no API server reads.

/**
 * Throws a TypeError that names the place of a value that is no JSON: a number that is not finite, a
 * function, a bigint, an object of a class. An undefined field is allowed, and left out as in JSON.
 */
export function assertJson(value: unknown, place: string): void {
  // The place is put together only for what is wrong: this runs over everything that is composed.
  if (!isJson(value)) refuseAt(value, place);
}

function isJson(value: unknown): boolean {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) if (!isJson(value[i])) return false;
    return true;
  }
  if (!isPlainObject(value)) return false;
  for (const key of Object.keys(value)) {
    const child = value[key];
    if (child !== undefined && !isJson(child)) return false;
  }
  return true;
}

function refuseAt(value: unknown, place: string): void {
  if (Array.isArray(value)) {
    for (const [index, child] of value.entries()) assertJson(child, `${place}[${index}]`);
  } else if (isPlainObject(value)) {
    for (const [key, child] of Object.entries(value)) {
      if (child !== undefined) assertJson(child, `${place}.${key}`);
    }
  } else throw new TypeError(`${place} is ${typeof value} ${String(value)}: expected a JSON value`);
}

function isPlainObject(value: unknown): value is { readonly [key: string]: unknown } {
  if (typeof value !== 'object' || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
