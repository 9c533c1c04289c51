// A RunFunctionRequest from its bytes. The SDK's generated reader would do but for two things: it takes most
// of the time of a call, and it loses keys named `__proto__`. Tests hold this one against it.
import type { Json } from '../../core/json.ts';
import type { Resource, RunFunctionRequest, State } from '../../crossplane/protocol.ts';
import {
  malformed,
  type Reader,
  readBytes,
  readDouble,
  readEnd,
  readerOf,
  readFields,
  readKey,
  readText,
  readVarint,
  skipField,
} from './protobuf-reader.ts';

type Struct = { [key: string]: Json };

/** Kubernetes objects nest some thirty levels at most; this ends what was made to exhaust the stack. */
const DEEPEST = 200;

/**
 * What a Struct is: a part of something, a Kubernetes object that was observed, or such an object's metadata,
 * whose managedFields are left out. They are as long as all the rest and of no use to anybody.
 */
type Kind = 'part' | 'observed' | 'metadata';

/**
 * Reads a request. What the function never looks at stays unread: input, capabilities, schemas,
 * credentials, and the managedFields of what is observed. Throws a RangeError for bytes that are no request.
 */
export function decodeRequest(bytes: Uint8Array): RunFunctionRequest {
  const reader = readerOf(bytes);
  const request: RunFunctionRequest = {
    meta: undefined,
    observed: undefined,
    desired: undefined,
    input: undefined,
    context: undefined,
    extraResources: {},
    credentials: {},
    requiredResources: {},
    requiredSchemas: {},
  };
  readFields(reader, bytes.length, (tag, end) => {
    if (tag === 10) request.meta = { tag: readTag(reader, readEnd(reader, end)), capabilities: [] };
    else if (tag === 18) request.observed = readState(reader, readEnd(reader, end), readObserved);
    else if (tag === 26) request.desired = readState(reader, readEnd(reader, end), readResource);
    else if (tag === 42) request.context = readStruct(reader, readEnd(reader, end), 0);
    else if (tag === 50) readEntry(reader, end, request.extraResources, readItems, noItems);
    else if (tag === 66) readEntry(reader, end, request.requiredResources, readItems, noItems);
    else skipField(reader, tag, end);
  });
  return request;
}

function readTag(reader: Reader, end: number): string {
  let text = '';
  readFields(reader, end, (tag) => {
    if (tag === 10) text = readText(reader, end);
    else skipField(reader, tag, end);
  });
  return text;
}

function readState(reader: Reader, end: number, read: typeof readResource): State {
  const state: State = { composite: undefined, resources: {} };
  readFields(reader, end, (tag) => {
    if (tag === 10) state.composite = read(reader, readEnd(reader, end));
    else if (tag === 18) readEntry(reader, end, state.resources, read, noResource);
    else skipField(reader, tag, end);
  });
  return state;
}

function readItems(reader: Reader, end: number): { items: Resource[] } {
  const items: Resource[] = [];
  readFields(reader, end, (tag) => {
    if (tag === 10) items.push(readObserved(reader, readEnd(reader, end)));
    else skipField(reader, tag, end);
  });
  return { items };
}

function noItems(): { items: Resource[] } {
  return { items: [] };
}

function readObserved(reader: Reader, end: number): Resource {
  return readResource(reader, end, 'observed');
}

function readResource(reader: Reader, end: number, kind: Kind = 'part'): Resource {
  const resource = noResource();
  readFields(reader, end, (tag) => {
    if (tag === 10) resource.resource = readStruct(reader, readEnd(reader, end), 0, kind);
    else if (tag === 18) {
      readEntry(reader, end, resource.connectionDetails, undefined, () => Buffer.alloc(0));
    } else if (tag === 24) resource.ready = readVarint(reader);
    else skipField(reader, tag, end);
  });
  return resource;
}

function noResource(): Resource {
  return { resource: undefined, connectionDetails: {}, ready: 0 };
}

/** An entry of a map, put `into` it; without `read`, the value is bytes. */
function readEntry<T>(
  reader: Reader,
  limit: number,
  into: { [key: string]: T },
  read: ((reader: Reader, end: number) => T) | undefined,
  empty: () => T,
): void {
  const end = readEnd(reader, limit);
  let key = '';
  let value: T | undefined;
  readFields(reader, end, (tag) => {
    if (tag === 10) key = readText(reader, end);
    else if (tag !== 18) skipField(reader, tag, end);
    else if (read !== undefined) value = read(reader, readEnd(reader, end));
    else value = readBytes(reader, end) as T; // the one map without `read` is a map of bytes
  });
  put(into, key, value ?? empty());
}

function readStruct(reader: Reader, end: number, depth: number, kind: Kind = 'part'): Struct {
  if (depth > DEEPEST) malformed();
  const struct: Struct = {};
  while (reader.at < end) {
    const tag = readVarint(reader);
    if (tag === 10) readStructField(reader, readEnd(reader, end), depth, struct, kind);
    else skipField(reader, tag, end);
  }
  return struct;
}

function readStructField(
  reader: Reader,
  end: number,
  depth: number,
  struct: Struct,
  kind: Kind,
): void {
  let key = '';
  let value: Json = null;
  while (reader.at < end) {
    const tag = readVarint(reader);
    if (tag === 10) {
      key = readKey(reader, end);
      if (kind === 'metadata' && key === 'managedFields') {
        reader.at = end;
        return;
      }
    } else if (tag === 18) {
      const inner = kind === 'observed' && key === 'metadata' ? 'metadata' : 'part';
      value = readValue(reader, readEnd(reader, end), depth + 1, inner);
    } else skipField(reader, tag, end);
  }
  put(struct, key, value);
}

/** A Value; one that says nothing is null, as for the Go library. */
function readValue(reader: Reader, end: number, depth: number, kind: Kind = 'part'): Json {
  let value: Json = null;
  while (reader.at < end) {
    const tag = readVarint(reader);
    if (tag === 26) value = readText(reader, end);
    else if (tag === 42) value = readStruct(reader, readEnd(reader, end), depth, kind);
    else if (tag === 50) value = readList(reader, readEnd(reader, end), depth);
    else if (tag === 17) value = readDouble(reader, end);
    else if (tag === 32) value = readVarint(reader) !== 0;
    else if (tag === 8) value = readNull(reader);
    else skipField(reader, tag, end);
  }
  return value;
}

function readNull(reader: Reader): null {
  readVarint(reader);
  return null;
}

function readList(reader: Reader, end: number, depth: number): Json[] {
  if (depth > DEEPEST) malformed();
  const list: Json[] = [];
  while (reader.at < end) {
    const tag = readVarint(reader);
    if (tag === 10) list.push(readValue(reader, readEnd(reader, end), depth + 1));
    else skipField(reader, tag, end);
  }
  return list;
}

/** Sets an own key, whatever its name. */
function put<T>(into: { [key: string]: T }, key: string, value: T): void {
  if (key !== '__proto__') into[key] = value;
  else {
    const own = { value, enumerable: true, configurable: true, writable: true };
    Object.defineProperty(into, key, own);
  }
}
