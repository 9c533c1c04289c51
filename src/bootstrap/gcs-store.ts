// Google Cloud Storage, by Google's SDK. Loaded only when the store is GCS.
import { Storage } from '@google-cloud/storage';
import { gcsAccess } from './gcs-credentials.ts';
import { type GcsAction, gcsAnswer, gcsProblem } from './gcs-problems.ts';
import type { GcsSettings } from './gcs-settings.ts';
import { contentType, type ObjectStore, REQUEST_MS, type WriteAnswer } from './object-store.ts';
import { keyUnder } from './store-address.ts';

/** A client for the bucket of the settings. Reads the credential files; opens no connection yet. */
export async function gcsStore(settings: GcsSettings): Promise<ObjectStore> {
  const { address } = settings;
  const access = await gcsAccess(settings);
  const bucket = new Storage({
    ...(access.client === undefined ? {} : { authClient: access.client }),
    // Always given, so that STORAGE_EMULATOR_HOST, which celld does not read, does not steer us.
    apiEndpoint: access.url,
    useAuthWithCustomEndpoint: access.client !== undefined,
    // No request needs the project; without one the SDK would ask for it.
    projectId: 'unused',
    timeout: REQUEST_MS,
    // The waiting is ours, so that it is logged and bounded once.
    retryOptions: { autoRetry: false, maxRetries: 0 },
  }).bucket(address.bucket);
  const file = (key: string, generation?: string) =>
    bucket.file(keyUnder(address, key), generation === undefined ? {} : { generation });
  const ask = async <T>(action: GcsAction, request: () => Promise<T>): Promise<T> => {
    try {
      return await request();
    } catch (error) {
      throw gcsProblem(error, action, settings, access.url);
    }
  };
  const put = (key: string, body: string, generation: string): Promise<WriteAnswer> =>
    ask('storage.objects.create', async () => {
      const target = file(key);
      try {
        await target.save(body, {
          resumable: false,
          validation: false,
          contentType: contentType(key),
          preconditionOpts: { ifGenerationMatch: generation },
        });
        return { done: true, tag: String(target.metadata.generation) };
      } catch (error) {
        if (gcsAnswer(error) === 'condition does not hold') return { done: false };
        throw error;
      }
    });
  return {
    open: () =>
      ask('storage.objects.list', async () => {
        const prefix = address.prefix === '' ? {} : { prefix: `${address.prefix}/` };
        await bucket.getFiles({ maxResults: 1, autoPaginate: false, ...prefix });
      }),
    read: (key) =>
      ask('storage.objects.get', async () => {
        try {
          const [{ generation }] = await file(key).getMetadata();
          const [body] = await file(key, String(generation)).download({ validation: false });
          return { body: body.toString('utf8'), tag: String(generation) };
        } catch (error) {
          if (gcsAnswer(error) === 'not found') return undefined;
          throw error;
        }
      }),
    create: (key, body) => put(key, body, '0'),
    replace: (key, body, tag) => put(key, body, tag),
    remove: (key) =>
      ask('storage.objects.delete', async () => {
        await file(key).delete({ ignoreNotFound: true });
      }),
    // This SDK has no way to break off a request; REQUEST_MS ends it.
    close: () => undefined,
  };
}
