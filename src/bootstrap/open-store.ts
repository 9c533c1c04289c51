// Which client for which store. Each SDK is loaded only for its own: serve and the other two never pay for it.
import type { ObjectStore } from './object-store.ts';
import type { StoreSettings } from './settings.ts';

/** A client of the store. Throws a StoreError for a credential file that cannot be used. */
export async function openStore(settings: StoreSettings): Promise<ObjectStore> {
  switch (settings.kind) {
    case 's3':
      return (await import('./s3-store.ts')).s3Store(settings);
    case 'gs':
      return (await import('./gcs-store.ts')).gcsStore(settings);
    case 'az':
      return (await import('./azure-store.ts')).azureStore(settings);
  }
}
