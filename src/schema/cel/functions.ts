// All functions of Kubernetes' CEL dialect by name.
import type { FunctionRow } from './function-row.ts';
import { KUBERNETES_FUNCTIONS } from './kubernetes-functions.ts';
import { NETWORK_FUNCTIONS } from './network-functions.ts';
import { STANDARD_FUNCTIONS } from './standard-functions.ts';
import { TEXT_FUNCTIONS } from './text-functions.ts';

const rows = new Map<string, readonly FunctionRow[]>();
for (const row of [
  ...STANDARD_FUNCTIONS,
  ...TEXT_FUNCTIONS,
  ...NETWORK_FUNCTIONS,
  ...KUBERNETES_FUNCTIONS,
]) {
  const key = keyOf(row.name, row.isMethod);
  rows.set(key, [...(rows.get(key) ?? []), row]);
}

function keyOf(name: string, isMethod: boolean): string {
  return isMethod ? `.${name}` : name;
}

/** The rows of a function, or of a method, with that many parameters, the receiver included. */
export function findFunctions(
  name: string,
  isMethod: boolean,
  parameters: number,
): readonly FunctionRow[] {
  return (rows.get(keyOf(name, isMethod)) ?? []).filter(
    ({ params }) => params.length === parameters,
  );
}

/** True when a dotted name, `sets.contains`, is a function and not a method of a value. */
export function isNamespaced(name: string): boolean {
  return name.includes('.') && rows.has(name);
}

/** The kinds of values that have a name in the language, for `type(self) == string`. */
export const TYPE_NAMES: ReadonlyMap<string, string> = new Map([
  ...['bool', 'int', 'uint', 'double', 'string', 'bytes', 'list', 'map', 'type'].map(
    (name): [string, string] => [name, name],
  ),
  ['null_type', 'null'],
  ['google.protobuf.Timestamp', 'timestamp'],
  ['google.protobuf.Duration', 'duration'],
]);
