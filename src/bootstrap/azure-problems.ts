// What Azure Blob Storage answers when it does not do something, in words a person can act on.
import { messageOf, oneLine } from '../core/problem.ts';
import type { AzureSettings } from './azure-settings.ts';
import { busyProblem, networkProblem, unexpectedProblem } from './network-problems.ts';
import { StoreError } from './object-store.ts';

export type AzureAction = 'create' | 'list' | 'read' | 'write' | 'delete';

interface Answer {
  readonly name?: string;
  readonly code?: string;
  readonly statusCode?: number;
}

/** What a condition or a missing key looks like; undefined for every other answer. */
export function azureAnswer(error: unknown): 'condition does not hold' | 'no such key' | undefined {
  const { code = '', statusCode } = error as Answer;
  if (statusCode === 412 || code === 'BlobAlreadyExists') return 'condition does not hold';
  if (code === 'BlobNotFound') return 'no such key';
  return undefined;
}

/** The StoreError of whatever the SDK threw for an action. */
export function azureProblem(
  error: unknown,
  action: AzureAction,
  settings: AzureSettings,
): StoreError {
  if (error instanceof StoreError) return error;
  const answer = error as Answer;
  return (
    identityProblem(error, answer, settings) ??
    networkProblem(error, settings.url) ??
    emulatorProblem(error, answer, settings) ??
    busyProblem(answer.statusCode, settings.url) ??
    missingProblem(answer, settings) ??
    deniedProblem(answer, action, settings) ??
    unexpectedProblem(
      answer.statusCode,
      `${settings.url}: to ${action} was answered with ${[answer.statusCode, firstLine(error)].filter((part) => part !== undefined).join(' ')}`,
    )
  );
}

/** The SDK puts request id and time on lines of their own: they change with every try. */
function firstLine(error: unknown): string {
  return oneLine(messageOf(error).split('\n')[0] ?? '');
}

const SOURCES: { readonly [from in AzureSettings['credentials']['from']]: string } = {
  'account key': 'AZURE_STORAGE_ACCOUNT_KEY',
  'workload identity': 'AZURE_CLIENT_ID, AZURE_TENANT_ID and AZURE_FEDERATED_TOKEN_FILE',
  'managed identity': 'the managed identity of the machine, as no AZURE_ variable names any other',
};

function identityProblem(
  error: unknown,
  { name = '' }: Answer,
  { credentials }: AzureSettings,
): StoreError | undefined {
  if (!/Credential|Authentication/u.test(name)) return undefined;
  return new StoreError(
    'STORE_CREDENTIALS',
    'denied',
    `credentials (${SOURCES[credentials.from]}): none to be had: ${firstLine(error)}`,
    'give the pod an identity that may use the container',
  );
}

function emulatorProblem(
  error: unknown,
  { code, statusCode }: Answer,
  { emulator, url }: AzureSettings,
): StoreError | undefined {
  if (!emulator) return undefined;
  if (statusCode === 400 && /API version/u.test(messageOf(error))) {
    return new StoreError(
      'STORE_ENDPOINT',
      'final',
      `${url}: this Azurite refuses the version of the API`,
      'start Azurite with --skipApiVersionCheck',
    );
  }
  // The rest of the path makes no sense to it then, and it says so with one status or the other.
  const dotted = /[a-z][^/]*\.|\.[^/]*[a-z]/iu.test(new URL(url).hostname);
  if (code !== 'ResourceNotFound' && !(dotted && statusCode === 400)) return undefined;
  return new StoreError(
    'STORE_ENDPOINT',
    'final',
    `${url}: Azurite takes the first label of its host name for the account`,
    'start Azurite with --disableProductStyleUrl',
  );
}

function missingProblem({ code }: Answer, settings: AzureSettings): StoreError | undefined {
  if (code === 'ContainerBeingDeleted') {
    return new StoreError(
      'STORE_BUCKET_MISSING',
      'down',
      `${settings.url}: is deleting the container`,
    );
  }
  if (code !== 'ContainerNotFound') return undefined;
  return new StoreError(
    'STORE_BUCKET_MISSING',
    'denied',
    `there is no container ${settings.address.bucket} at ${settings.url}`,
    'create the container, or correct CELLD_BUCKET',
  );
}

function deniedProblem(
  { code = '', statusCode }: Answer,
  action: AzureAction,
  { address, account, credentials, emulator, url }: AzureSettings,
): StoreError | undefined {
  if (statusCode !== 401 && statusCode !== 403) return undefined;
  const source = `credentials (${SOURCES[credentials.from]})`;
  const unknown = code === 'AuthenticationFailed' || code === 'InvalidAuthenticationInfo';
  // Azurite says to a wrong key what Azure says to a network that is not let in.
  if (unknown || (emulator && code === 'AuthorizationFailure')) {
    return new StoreError(
      'STORE_CREDENTIALS',
      'denied',
      `${source}: ${url} does not accept them (${code})`,
      'check the account name, the key and the clock of the machine',
    );
  }
  if (code === 'AuthorizationFailure' || code === 'PublicAccessNotPermitted') {
    return new StoreError(
      'STORE_PERMISSION',
      'denied',
      `no permission: account ${account} lets nobody in from here (${code})`,
      'allow the network of the cluster in the firewall of the account',
    );
  }
  return new StoreError(
    'STORE_PERMISSION',
    'denied',
    `no permission to ${action} in container ${address.bucket} of account ${account} (${code})`,
    `give the ${source} the role Storage Blob Data Contributor on the container`,
  );
}
