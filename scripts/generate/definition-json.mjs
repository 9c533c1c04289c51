// The XRD as JSON beside the hash of the YAML it was made from: JSON is read in no time, YAML takes a
// fifth of a render's. Whoever reads it compares the hash, so a stale file is never used.
import { createHash } from 'node:crypto';

/** The text of the generated file. */
export function definitionJson(text, definition) {
  const sha256 = createHash('sha256').update(text).digest('hex');
  return `${JSON.stringify({ sha256, definition })}\n`;
}
