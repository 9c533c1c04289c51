// Azure Blob Storage and Azurite, by the Azure SDK. Loaded only when the store is Azure.
import { text } from 'node:stream/consumers';
import type { TokenCredential } from '@azure/identity';
import { ContainerClient, StorageSharedKeyCredential } from '@azure/storage-blob';
import { type AzureAction, azureAnswer, azureProblem } from './azure-problems.ts';
import type { AzureSettings } from './azure-settings.ts';
import { contentType, type ObjectStore, REQUEST_MS, type WriteAnswer } from './object-store.ts';
import { keyUnder } from './store-address.ts';

/** A client for the container of the settings. Opens no connection yet. */
export async function azureStore(settings: AzureSettings): Promise<ObjectStore> {
  const { address } = settings;
  const container = new ContainerClient(
    `${settings.url}/${address.bucket}`,
    await credential(settings),
    // The waiting is ours, so that it is logged and bounded once.
    { retryOptions: { maxTries: 1 }, keepAliveOptions: { enable: false } },
  );
  const closing = new AbortController();
  const blob = (key: string) => container.getBlockBlobClient(keyUnder(address, key));
  const ask = async <T>(
    action: AzureAction,
    request: (options: { abortSignal: AbortSignal }) => Promise<T>,
  ): Promise<T> => {
    try {
      const abortSignal = AbortSignal.any([closing.signal, AbortSignal.timeout(REQUEST_MS)]);
      return await request({ abortSignal });
    } catch (error) {
      throw azureProblem(error, action, settings);
    }
  };
  const put = (key: string, body: string, conditions: object): Promise<WriteAnswer> =>
    ask('write', async (options) => {
      try {
        const { etag } = await blob(key).upload(body, Buffer.byteLength(body), {
          ...options,
          conditions,
          blobHTTPHeaders: { blobContentType: contentType(key) },
        });
        return { done: true, tag: etag ?? '' };
      } catch (error) {
        if (azureAnswer(error) === 'condition does not hold') return { done: false };
        throw error;
      }
    });
  return {
    open: async () => {
      if (settings.emulator) await ask('create', (options) => container.createIfNotExists(options));
      await ask('list', async (options) => {
        const prefix = address.prefix === '' ? {} : { prefix: `${address.prefix}/` };
        const pages = container.listBlobsFlat({ ...prefix, ...options });
        await pages.byPage({ maxPageSize: 1 }).next();
      });
    },
    read: (key) =>
      ask('read', async (options) => {
        try {
          const found = await blob(key).download(0, undefined, { ...options, maxRetryRequests: 0 });
          const body = found.readableStreamBody;
          return { body: body === undefined ? '' : await text(body), tag: found.etag ?? '' };
        } catch (error) {
          if (azureAnswer(error) === 'no such key') return undefined;
          throw error;
        }
      }),
    create: (key, body) => put(key, body, { ifNoneMatch: '*' }),
    replace: (key, body, tag) => put(key, body, { ifMatch: tag }),
    remove: (key) =>
      ask('delete', async (options) => {
        try {
          await blob(key).delete(options);
        } catch (error) {
          if (azureAnswer(error) !== 'no such key') throw error;
        }
      }),
    close: () => closing.abort(),
  };
}

async function credential({
  account,
  credentials,
}: AzureSettings): Promise<StorageSharedKeyCredential | TokenCredential> {
  if (credentials.from === 'account key') {
    return new StorageSharedKeyCredential(account, credentials.key);
  }
  return (await import('./azure-identity.ts')).azureIdentity(credentials);
}
