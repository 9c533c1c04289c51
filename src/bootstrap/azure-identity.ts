// Azure credentials without a key. A file of its own, since the library is large and a key needs none of it.
import {
  ManagedIdentityCredential,
  type TokenCredential,
  type TokenCredentialOptions,
  WorkloadIdentityCredential,
} from '@azure/identity';
import type { AzureCredentials } from './azure-settings.ts';

const ONE_TRY: TokenCredentialOptions = { retryOptions: { maxRetries: 0 } };

/** The identity of the pod, or that of the machine. */
export function azureIdentity(
  credentials: Exclude<AzureCredentials, { from: 'account key' }>,
): TokenCredential {
  if (credentials.from === 'workload identity') {
    return new WorkloadIdentityCredential({
      ...ONE_TRY,
      clientId: credentials.clientId,
      tenantId: credentials.tenantId,
      tokenFilePath: credentials.tokenFile,
    });
  }
  const { clientId, objectId, resourceId } = credentials;
  if (clientId !== undefined) return new ManagedIdentityCredential({ ...ONE_TRY, clientId });
  if (objectId !== undefined) return new ManagedIdentityCredential({ ...ONE_TRY, objectId });
  if (resourceId !== undefined) return new ManagedIdentityCredential({ ...ONE_TRY, resourceId });
  return new ManagedIdentityCredential(ONE_TRY);
}
