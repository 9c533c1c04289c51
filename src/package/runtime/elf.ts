// Which libraries and which loader a Linux binary asks for, read from its ELF headers.
import { Buffer } from 'node:buffer';

export interface ElfNeeds {
  /** The loader's path; libraries have none. */
  readonly interpreter?: string;
  /** Names of shared libraries, in the order of the file. */
  readonly libraries: readonly string[];
}

const SEGMENT = { load: 1, dynamic: 2, interpreter: 3 };
const ENTRY = { end: 0n, needed: 1n, strings: 5n };

interface Segment {
  readonly type: number;
  readonly offset: number;
  readonly address: number;
  readonly size: number;
}

/** Reads a 64-bit little-endian ELF file; undefined for anything else. */
export function readElfNeeds(bytes: Uint8Array): ElfNeeds | undefined {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (file.length < 64 || file.readUInt32BE(0) !== 0x7f454c46) return undefined;
  if (file[4] !== 2 || file[5] !== 1) return undefined;
  const segments = segmentsOf(file);
  const dynamic = segments.find((one) => one.type === SEGMENT.dynamic);
  const interpreter = segments.find((one) => one.type === SEGMENT.interpreter);
  return {
    ...(interpreter === undefined ? {} : { interpreter: textAt(file, interpreter.offset) }),
    libraries: dynamic === undefined ? [] : neededLibraries(file, dynamic, segments),
  };
}

function segmentsOf(file: Buffer): Segment[] {
  const [start, size, count] = [
    Number(file.readBigUInt64LE(32)),
    file.readUInt16LE(54),
    file.readUInt16LE(56),
  ];
  return Array.from({ length: count }, (_, index) => {
    const at = start + index * size;
    return {
      type: file.readUInt32LE(at),
      offset: Number(file.readBigUInt64LE(at + 8)),
      address: Number(file.readBigUInt64LE(at + 16)),
      size: Number(file.readBigUInt64LE(at + 32)),
    };
  });
}

function neededLibraries(file: Buffer, dynamic: Segment, segments: readonly Segment[]): string[] {
  const names: number[] = [];
  let strings = 0;
  for (let at = dynamic.offset; at < dynamic.offset + dynamic.size; at += 16) {
    const [tag, value] = [file.readBigUInt64LE(at), Number(file.readBigUInt64LE(at + 8))];
    if (tag === ENTRY.end) break;
    if (tag === ENTRY.needed) names.push(value);
    if (tag === ENTRY.strings) strings = value;
  }
  // The table of strings is given by its address in memory.
  const home = segments.find(
    (one) =>
      one.type === SEGMENT.load && strings >= one.address && strings < one.address + one.size,
  );
  const base = home === undefined ? strings : strings - home.address + home.offset;
  return names.map((name) => textAt(file, base + name));
}

function textAt(file: Buffer, at: number): string {
  return file.toString('utf8', at, file.indexOf(0, at));
}
