// Writes the placeholder so that no deployment can ever be replaced: each object create-only, the pointer last.
import { type ObjectStore, StoreError } from './object-store.ts';
import { FLEET_POINTER, PLACEHOLDER, type PlaceholderObject } from './placeholder.ts';

/**
 * Gives true when the fleet pointer is ours, false when another writer had one first. Goes over what
 * an earlier attempt left half done; throws a StoreError where a key holds something else.
 */
export async function writePlaceholder(store: ObjectStore): Promise<boolean> {
  for (const object of PLACEHOLDER) {
    const answer = await store.create(object.key, object.body);
    if (!answer.done) await accept(store, object);
    else if (object.key === FLEET_POINTER) return true;
  }
  return false;
}

/** Looks at what stands where we did not write, since a store may also refuse for a write that then failed. */
async function accept(store: ObjectStore, object: PlaceholderObject): Promise<void> {
  const found = await store.read(object.key);
  if (found === undefined) {
    throw new StoreError(
      'STORE_UNREACHABLE',
      'down',
      `${object.key} was refused as existing and is not there`,
    );
  }
  // Pointers belong to whoever deployed first. What they point at has the hash of its content in its key.
  if (object.key.endsWith('/current.json') || found.body === object.body) return;
  throw new StoreError(
    'PLACEHOLDER_CLASH',
    'final',
    `${object.key} holds something else than the placeholder`,
    'deploy an application with celld deploy, or remove that key',
  );
}
