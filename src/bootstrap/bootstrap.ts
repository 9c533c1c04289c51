// What has to be true of the object store before the first node starts, in the order it is asked.
import { isObject, stringAt } from '../core/json.ts';
import { refuse } from '../core/problem.ts';
import { proveConditionalWrites } from './conditional-writes.ts';
import { type ObjectStore, StoreError } from './object-store.ts';
import { openStore } from './open-store.ts';
import { FLEET_POINTER } from './placeholder.ts';
import { scrubber } from './secrets.ts';
import type { StoreSettings } from './settings.ts';
import { formatAddress } from './store-address.ts';
import { seconds, type WaitOptions, waitFor } from './wait.ts';
import { writePlaceholder } from './write-placeholder.ts';

export interface BootstrapOptions extends WaitOptions {
  /** Write the placeholder where the fleet has no deployment. */
  readonly placeholder: boolean;
  /** Names the keys of the probe; different in every process. */
  readonly probeId: string;
}

/**
 * `deployed`: there is a deployment, and nothing was written. `empty`: there is none and none was
 * wanted. `placeholder`: ours is the deployment now.
 */
export type Outcome = 'deployed' | 'empty' | 'placeholder';

/**
 * Waits for the store, proves its conditional writes and writes the placeholder if it is wanted. Only
 * reads where a deployment exists. Throws a problem that says what to do when the store is no good.
 */
export async function bootstrap(
  settings: StoreSettings,
  options: BootstrapOptions,
): Promise<Outcome> {
  const scrub = scrubber(settings);
  const log = (line: string) => options.log(scrub(line));
  const name = formatAddress(settings.address);
  let store: ObjectStore | undefined;
  try {
    const opened = await openStore(settings);
    store = opened;
    const attempt = () => prepare(opened, options, log);
    const { value, tries, ms } = await waitFor(attempt, {
      ...options,
      log: (line) => log(`${name}: ${line}`),
    });
    if (tries > 1) log(`${name}: answered after ${seconds(ms)}`);
    return value;
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return refuse(error.code, scrub(error.message), {
      path: name,
      ...(error.hint === undefined ? {} : { hint: scrub(error.hint) }),
    });
  } finally {
    store?.close();
  }
}

/** Every step may be done again from the first, so whatever breaks off is simply repeated. */
async function prepare(
  store: ObjectStore,
  options: BootstrapOptions,
  log: (line: string) => void,
): Promise<Outcome> {
  await store.open();
  const pointer = await store.read(FLEET_POINTER);
  if (pointer !== undefined) {
    log(`${FLEET_POINTER} names ${describeDeployment(pointer.body)}: nothing to write`);
    return 'deployed';
  }
  await proveConditionalWrites(store, options.probeId);
  log('create-only and compare-and-swap writes hold');
  if (!options.placeholder) return 'empty';
  return (await writePlaceholder(store)) ? 'placeholder' : 'deployed';
}

function describeDeployment(body: string): string {
  let pointer: unknown;
  try {
    pointer = JSON.parse(body);
  } catch {
    pointer = undefined; // Whatever is there is not ours to judge.
  }
  const version = isObject(pointer) ? stringAt(pointer, 'version') : undefined;
  const script = isObject(pointer) ? stringAt(pointer, 'script_name') : undefined;
  if (version === undefined) return 'a deployment';
  return `version ${JSON.stringify(version)}${script === undefined ? '' : ` of ${JSON.stringify(script)}`}`;
}
