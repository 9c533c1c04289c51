// Tar archives whose bytes depend on their content alone: no clock, no user, no machine.
import { Buffer } from 'node:buffer';

export interface TarEntry {
  /** Relative, without `./` in front and without a slash behind. */
  readonly path: string;
  readonly type: 'file' | 'folder' | 'symlink' | 'hardlink' | 'other';
  readonly mode: number;
  readonly content: Uint8Array;
  /** Where a link points. */
  readonly target?: string;
}

const BLOCK = 512;
const NOTHING = new Uint8Array();
const TYPE_FLAGS = { file: '0', hardlink: '1', symlink: '2', folder: '5' } as const;
const TYPES: { readonly [flag: string]: TarEntry['type'] } = {
  '': 'file',
  '\0': 'file',
  '0': 'file',
  '1': 'hardlink',
  '2': 'symlink',
  '5': 'folder',
};

/** A regular file as a tar entry. */
export function fileEntry(path: string, content: Uint8Array | string, mode = 0o644): TarEntry {
  return { path, type: 'file', mode, content: Buffer.from(content) };
}

/** A folder as a tar entry. */
export function folderEntry(path: string, mode = 0o755): TarEntry {
  return { path, type: 'folder', mode, content: NOTHING };
}

/** A symbolic link as a tar entry. */
export function linkEntry(path: string, target: string): TarEntry {
  return { path, type: 'symlink', mode: 0o777, content: NOTHING, target };
}

/**
 * Entries as a ustar archive in the order given, every time and owner zero, laid out byte for byte as
 * Go's archive/tar writes such headers. Throws a RangeError for a path that ustar cannot hold.
 */
export function packTar(entries: readonly TarEntry[]): Uint8Array {
  const parts: Uint8Array[] = [];
  for (const entry of entries) {
    parts.push(header(entry), entry.content);
    const over = entry.content.length % BLOCK;
    if (over > 0) parts.push(new Uint8Array(BLOCK - over));
  }
  parts.push(new Uint8Array(2 * BLOCK));
  return Buffer.concat(parts);
}

function header(entry: TarEntry): Uint8Array {
  const block = Buffer.alloc(BLOCK);
  const [name, prefix] = splitPath(entry.type === 'folder' ? `${entry.path}/` : entry.path);
  if (entry.type === 'other') throw new TypeError(`${entry.path} is neither file, folder nor link`);
  const octal = (value: number, at: number, width: number) =>
    block.write(value.toString(8).padStart(width - 1, '0'), at);
  block.write(name, 0);
  octal(entry.mode, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(entry.content.length, 124, 12);
  octal(0, 136, 12);
  block.fill(' ', 148, 156);
  block.write(TYPE_FLAGS[entry.type], 156);
  block.write(entry.target ?? '', 157);
  block.write('ustar\x0000', 257, 'latin1');
  octal(0, 329, 8);
  octal(0, 337, 8);
  block.write(prefix, 345);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return block;
}

/** A name of at most 100 bytes and the folders in front of it, which have a field of their own. */
function splitPath(path: string): [string, string] {
  const bytes = Buffer.byteLength(path);
  if (bytes <= 100) return [path, ''];
  for (
    let at = path.indexOf('/');
    at >= 0 && at < path.length - 1;
    at = path.indexOf('/', at + 1)
  ) {
    const [prefix, name] = [path.slice(0, at), path.slice(at + 1)];
    if (Buffer.byteLength(name) <= 100 && Buffer.byteLength(prefix) <= 155) return [name, prefix];
  }
  throw new RangeError(`the path ${path} is too long for a tar archive`);
}

/**
 * The entries of an archive in ustar, pax or GNU form; what only describes the next entry is applied
 * to it. Throws a RangeError for an archive that ends in the middle of an entry.
 */
export function readTar(bytes: Uint8Array): TarEntry[] {
  const archive = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const entries: TarEntry[] = [];
  let next: { path?: string; linkpath?: string } = {};
  for (let at = 0; at + BLOCK <= archive.length; ) {
    const head = archive.subarray(at, at + BLOCK);
    if (head.every((byte) => byte === 0)) break;
    const size = numberAt(head, 124, 12);
    const content = archive.subarray(at + BLOCK, at + BLOCK + size);
    if (content.length < size) throw new RangeError('the archive is cut off');
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
    const flag = String.fromCharCode(head[156] ?? 0);
    if (flag === 'x') next = { ...next, ...paxRecords(content) };
    else if (flag === 'L') next.path = textAt(content, 0, size);
    else if (flag === 'K') next.linkpath = textAt(content, 0, size);
    else if (flag !== 'g') {
      entries.push(entryOf(head, content, flag, next));
      next = {};
    }
  }
  return entries;
}

function entryOf(
  head: Buffer,
  content: Uint8Array,
  flag: string,
  next: { readonly path?: string; readonly linkpath?: string },
): TarEntry {
  const prefix = head.toString('latin1', 257, 262) === 'ustar' ? textAt(head, 345, 155) : '';
  const name = textAt(head, 0, 100);
  const path = next.path ?? (prefix === '' ? name : `${prefix}/${name}`);
  const target = next.linkpath ?? textAt(head, 157, 100);
  return {
    path: path.replace(/^(?:\.?\/)+/u, '').replace(/\/+$/u, ''),
    type: TYPES[flag] ?? 'other',
    mode: numberAt(head, 100, 8) & 0o7777,
    content,
    ...(target === '' ? {} : { target }),
  };
}

/** `27 path=some/long/name\n`, over and over. */
function paxRecords(content: Buffer): { path?: string; linkpath?: string } {
  const records: Record<string, string> = {};
  for (let at = 0; at < content.length; ) {
    const length = Number.parseInt(content.toString('latin1', at, at + 12), 10);
    if (!(length > 0)) break;
    const record = content.toString('utf8', at, at + length - 1);
    const text = record.slice(record.indexOf(' ') + 1);
    const equals = text.indexOf('=');
    records[text.slice(0, equals)] = text.slice(equals + 1);
    at += length;
  }
  const { path, linkpath } = records as { path?: string; linkpath?: string };
  return {
    ...(path === undefined ? {} : { path }),
    ...(linkpath === undefined ? {} : { linkpath }),
  };
}

function textAt(bytes: Buffer, at: number, length: number): string {
  const field = bytes.subarray(at, at + length);
  const end = field.indexOf(0);
  return field.toString('utf8', 0, end < 0 ? field.length : end);
}

function numberAt(bytes: Buffer, at: number, length: number): number {
  // Sizes past 8 GiB come in base 256; nothing we read is that large.
  const value = Number.parseInt(textAt(bytes, at, length).trim() || '0', 8);
  if (!Number.isFinite(value))
    throw new RangeError('the archive has a header that is no tar header');
  return value;
}
