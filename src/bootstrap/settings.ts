// Reads the environment exactly as celld does, so that what bootstrap proves holds for the node beside it.
//
// celld hands most of it to the Rust crate object_store; the order of credentials is that crate's.
import { refuse } from '../core/problem.ts';
import { type AzureSettings, azureSettings } from './azure-settings.ts';
import { type Environment, variable } from './environment.ts';
import { type GcsSettings, gcsSettings } from './gcs-settings.ts';
import { type S3Settings, s3Settings } from './s3-settings.ts';
import { readStoreAddress } from './store-address.ts';

export type StoreSettings = S3Settings | GcsSettings | AzureSettings;

/** The settings of the store. Throws a STORE_SETTINGS problem that names the variable. */
export function readSettings(environment: Environment): StoreSettings {
  const bucket = variable(environment, 'CELLD_BUCKET');
  if (bucket === undefined) {
    return refuse('STORE_SETTINGS', 'required value: the bucket of the fleet', {
      path: 'CELLD_BUCKET',
    });
  }
  const address = readStoreAddress(bucket);
  if (address.kind === 's3') return s3Settings(address, environment);
  if (variable(environment, 'S3_ENDPOINT') !== undefined) {
    refuse('STORE_SETTINGS', `found with ${address.kind}://: expected with s3:// only`, {
      path: 'S3_ENDPOINT',
    });
  }
  return address.kind === 'gs'
    ? gcsSettings(address, environment)
    : azureSettings(address, environment);
}

/** True when the placeholder is wanted: CELLD_STACK_PLACEHOLDER is 1. Throws for anything but 0 and 1. */
export function readPlaceholderWish(environment: Environment): boolean {
  const wish = variable(environment, 'CELLD_STACK_PLACEHOLDER') ?? '0';
  if (wish !== '0' && wish !== '1') {
    refuse('STORE_SETTINGS', `found ${JSON.stringify(wish)}: expected 0 or 1`, {
      path: 'CELLD_STACK_PLACEHOLDER',
    });
  }
  return wish === '1';
}
