// Proves on a key of its own that the store keeps the two promises a fleet lives by: create-only and
// compare-and-swap. A store that breaks them lets two nodes own one Durable Object.
import { type ObjectStore, StoreError, type WriteAnswer } from './object-store.ts';

const RACERS = 4;

/**
 * Writes, replaces and removes objects under `probe/`, the folder celld keeps for its own test. Throws
 * a StoreError with code STORE_CONDITIONAL_WRITES that says which promise was broken.
 */
export async function proveConditionalWrites(store: ObjectStore, id: string): Promise<void> {
  const keys = { swap: `probe/cas-${id}`, race: `probe/race-${id}` };
  // Removing comes first: where it is not permitted, nothing has been left behind yet.
  await remove(store, Object.values(keys));
  try {
    await proveSwap(store, keys.swap);
    await proveRace(store, keys.race);
  } catch (error) {
    // The first failure is the news; that the store also fails to remove would only hide it.
    await remove(store, Object.values(keys)).catch(() => undefined);
    throw error;
  }
  await remove(store, Object.values(keys));
}

async function remove(store: ObjectStore, keys: readonly string[]): Promise<void> {
  for (const key of keys) await store.remove(key);
}

async function proveSwap(store: ObjectStore, key: string): Promise<void> {
  const first = granted(
    await store.create(key, 'first'),
    'refused a create-only write to a new key',
  );
  denied(
    await store.create(key, 'second'),
    'accepted a create-only write (If-None-Match: *) over an object that exists',
  );
  const third = granted(
    await store.replace(key, 'third', first),
    'refused a compare-and-swap write (If-Match) with the tag it had just given',
  );
  denied(
    await store.replace(key, 'fourth', first),
    'accepted a compare-and-swap write (If-Match) with a tag that is no longer true',
  );
  const found = await store.read(key);
  if (found?.body !== 'third' || found.tag !== third) {
    throw broken('did not read back the write it had accepted last');
  }
}

async function proveRace(store: ObjectStore, key: string): Promise<void> {
  const answers = await Promise.all(
    Array.from({ length: RACERS }, (_, racer) => store.create(key, `racer ${racer}`)),
  );
  if (answers.filter((answer) => answer.done).length > 1) {
    throw broken('accepted several create-only writes to one key at the same moment');
  }
}

function granted(answer: WriteAnswer, complaint: string): string {
  if (!answer.done) throw broken(complaint);
  return answer.tag;
}

function denied(answer: WriteAnswer, complaint: string): void {
  if (answer.done) throw broken(complaint);
}

/** The error of a store that cannot carry a fleet. */
export function broken(complaint: string): StoreError {
  return new StoreError(
    'STORE_CONDITIONAL_WRITES',
    'final',
    `the store ${complaint}: a fleet on it would lose data`,
    'use Amazon S3, Cloudflare R2, Tigris, Google Cloud Storage or Azure Blob Storage; known not to work: Backblaze B2, Hetzner, DigitalOcean Spaces, MinIO RELEASE.2025-09-06T17-38-46Z',
  );
}
