// The few rules of the protobuf wire format: tags, varints, and blocks with their length in front.

/** A message being read; `at` is where. */
export interface Reader {
  readonly bytes: Buffer;
  /** The same bytes, a character each: a slice of it costs less than decoding a slice of bytes. */
  readonly characters: string;
  readonly double: DataView;
  at: number;
}

/** Starts reading a message. */
export function readerOf(message: Uint8Array): Reader {
  const bytes = Buffer.from(message.buffer, message.byteOffset, message.byteLength);
  const double = new DataView(message.buffer, message.byteOffset, message.byteLength);
  return { bytes, characters: bytes.toString('latin1'), double, at: 0 };
}

/** Calls `field` with each field's tag, which reads that field; gives up where bytes are left over. */
export function readFields(
  reader: Reader,
  end: number,
  field: (tag: number, end: number) => void,
): void {
  while (reader.at < end) field(readVarint(reader), end);
  if (reader.at !== end) malformed();
}

/** The next varint; beyond 53 bits it loses precision, which no field of ours needs. */
export function readVarint(reader: Reader): number {
  const first = reader.bytes[reader.at++] ?? malformed();
  if (first < 128) return first;
  let value = first & 127;
  for (let factor = 128; ; factor *= 128) {
    const byte = reader.bytes[reader.at++] ?? malformed();
    value += (byte & 127) * factor;
    if (byte < 128) return value;
    if (factor > 2 ** 60) malformed();
  }
}

/** The end of the block whose length comes next; it may not leave the block around it. */
export function readEnd(reader: Reader, limit: number): number {
  const end = readVarint(reader) + reader.at;
  return end > limit ? malformed() : end;
}

/** The next string, with the length in front. */
export function readText(reader: Reader, limit: number): string {
  const end = readEnd(reader, limit);
  const start = reader.at;
  reader.at = end;
  let any = 0;
  for (let i = start; i < end; i++) any |= reader.bytes[i] ?? 0;
  return any < 128
    ? reader.characters.slice(start, end)
    : reader.bytes.toString('utf8', start, end);
}

/** The names of fields are few and come again with every call: the same string is used for each. */
const KEYS: string[] = Array(1024).fill('');
const LONGEST_KEY = 64;

/** The next string, which is the name of a field. */
export function readKey(reader: Reader, limit: number): string {
  const start = reader.at;
  const end = readEnd(reader, limit);
  const from = reader.at;
  let hash = 0;
  for (let i = from; i < end; i++) hash = (hash * 31 + (reader.bytes[i] ?? 0)) & 0xffff;
  const known = KEYS[hash & 1023] ?? '';
  if (known !== '' && known === reader.characters.slice(from, end)) {
    reader.at = end;
    return known;
  }
  reader.at = start;
  const key = readText(reader, limit);
  // A copy of its own, since a slice would keep the whole message; only ASCII is the same as its bytes.
  if (end - from <= LONGEST_KEY && key.length === end - from) {
    KEYS[hash & 1023] = Object.keys({ [key]: 0 })[0] ?? key;
  }
  return key;
}

/** The next bytes, with the length in front, copied. */
export function readBytes(reader: Reader, limit: number): Buffer {
  const end = readEnd(reader, limit);
  const bytes = Buffer.from(reader.bytes.subarray(reader.at, end));
  reader.at = end;
  return bytes;
}

/** The next double. */
export function readDouble(reader: Reader, limit: number): number {
  reader.at += 8;
  return reader.at > limit ? malformed() : reader.double.getFloat64(reader.at - 8, true);
}

/** Goes past the field of a tag that is not known. */
export function skipField(reader: Reader, tag: number, limit: number): void {
  const wireType = tag % 8;
  if (tag < 8) malformed();
  else if (wireType === 0) readVarint(reader);
  else if (wireType === 1) reader.at += 8;
  else if (wireType === 2) reader.at = readEnd(reader, limit);
  else if (wireType === 5) reader.at += 4;
  else malformed(); // groups, which proto3 does not have
  if (reader.at > limit) malformed();
}

/** Ends reading bytes that are no message. */
export function malformed(): never {
  throw new RangeError('the bytes are no protobuf message of this kind');
}
