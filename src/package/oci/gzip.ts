// Gzip whose bytes are the same on every machine. Node's own zlib chooses its matches by processor and
// release, so that two people who build one commit would get two digests; fflate is plain JavaScript.
import { gunzipSync as inflate } from 'node:zlib';
import { type GzipOptions, gzip as gzipInWorker, gzipSync } from 'fflate';

/** Beyond five a layer of a Node.js binary shrinks by half a percent and takes twice as long. */
const OPTIONS: GzipOptions = { level: 5, mtime: 0 };
const WORTH_A_THREAD = 4_000_000;

/** Compresses; the name and the time in the header are empty. Large input is compressed in a thread of its own. */
export async function gzip(bytes: Uint8Array): Promise<Uint8Array> {
  if (bytes.length < WORTH_A_THREAD) return gzipSync(bytes, OPTIONS);
  return new Promise((resolve, reject) => {
    gzipInWorker(bytes, { ...OPTIONS, consume: false }, (error, compressed) => {
      if (error === null) resolve(compressed);
      else reject(error);
    });
  });
}

/** Decompresses. Throws for what is not gzip or is cut off. */
export function gunzip(bytes: Uint8Array): Uint8Array {
  return inflate(bytes);
}
