// The protobuf wire format written from the back: when a block is done its length is known, so nothing has
// to be measured first and nothing is copied twice.

/** A message being written; it stands in `bytes` from `at` to the end. */
export interface Writer {
  bytes: Buffer;
  at: number;
}

/** Messages of this size are common; the memory for larger ones is not kept. */
const USUAL = 64 * 1024;

const usual: Writer = { bytes: Buffer.alloc(USUAL), at: USUAL };

/** What `write` writes, from its last field to its first. */
export function written(write: (writer: Writer) => void): Buffer {
  const writer: Writer = { bytes: usual.bytes, at: usual.bytes.length };
  write(writer);
  return Buffer.from(writer.bytes.subarray(writer.at));
}

/** Makes room for `size` more bytes. */
function reserve(writer: Writer, size: number): void {
  if (writer.at >= size) return;
  const length = writer.bytes.length - writer.at;
  const larger = Buffer.alloc(Math.max(writer.bytes.length * 2, length + size));
  writer.bytes.copy(larger, larger.length - length, writer.at);
  writer.at = larger.length - length;
  writer.bytes = larger;
}

/** A varint: a tag, a length, or a number up to 53 bits. */
export function writeVarint(writer: Writer, value: number): void {
  reserve(writer, 10);
  if (value < 128) {
    writer.bytes[--writer.at] = value;
    return;
  }
  let size = 1;
  for (let rest = value; rest >= 128; rest = Math.floor(rest / 128)) size += 1;
  writer.at -= size;
  let rest = value;
  for (let i = 0; i < size; i++) {
    writer.bytes[writer.at + i] = (rest % 128) + (i < size - 1 ? 128 : 0);
    rest = Math.floor(rest / 128);
  }
}

/** A block: what `content` writes, its length, and the tag. */
export function writeBlock(writer: Writer, tag: number, content: () => void): void {
  const end = marked(writer);
  content();
  writeHead(writer, tag, end);
}

/** How much has been written. */
export function marked(writer: Writer): number {
  return writer.bytes.length - writer.at;
}

/** The length of what was written since `mark`, and a tag. */
export function writeHead(writer: Writer, tag: number, mark: number): void {
  writeVarint(writer, marked(writer) - mark);
  writeVarint(writer, tag);
}

/** A string with its length and tag. */
export function writeText(writer: Writer, tag: number, text: string): void {
  const mark = marked(writer);
  if (text.length > 64 || !writeAscii(writer, text)) {
    const size = Buffer.byteLength(text);
    reserve(writer, size);
    writer.at -= size;
    writer.bytes.write(text, writer.at, size, 'utf8');
  }
  writeHead(writer, tag, mark);
}

/** Short texts are nearly all ASCII, and a loop is faster than the call for them. */
function writeAscii(writer: Writer, text: string): boolean {
  const { length } = text;
  reserve(writer, length);
  const { bytes } = writer;
  const start = writer.at - length;
  for (let i = 0; i < length; i++) {
    const code = text.charCodeAt(i);
    if (code > 127) return false;
    bytes[start + i] = code;
  }
  writer.at = start;
  return true;
}

/** Bytes with their length and tag. */
export function writeBytes(writer: Writer, tag: number, bytes: Uint8Array): void {
  reserve(writer, bytes.length);
  writer.at -= bytes.length;
  writer.bytes.set(bytes, writer.at);
  writeVarint(writer, bytes.length);
  writeVarint(writer, tag);
}

/** A double with its tag. */
export function writeDouble(writer: Writer, tag: number, value: number): void {
  reserve(writer, 8);
  writer.at -= 8;
  writer.bytes.writeDoubleLE(value, writer.at);
  writeVarint(writer, tag);
}
