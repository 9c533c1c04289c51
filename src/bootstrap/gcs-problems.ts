// What Google Cloud Storage answers when it does not do something, in words a person can act on.
import { messageOf, oneLine } from '../core/problem.ts';
import type { GcsSettings } from './gcs-settings.ts';
import { busyProblem, networkProblem, unexpectedProblem } from './network-problems.ts';
import { StoreError } from './object-store.ts';

export type GcsAction =
  | 'storage.objects.list'
  | 'storage.objects.get'
  | 'storage.objects.create'
  | 'storage.objects.delete';

/** What a condition or a missing key looks like; undefined for every other answer. */
export function gcsAnswer(error: unknown): 'condition does not hold' | 'not found' | undefined {
  const status = statusOf(error);
  if (status === 412) return 'condition does not hold';
  // A missing bucket says so; a missing object is "No such object: …".
  if (status === 404 && !/bucket/iu.test(messageOf(error).split(':')[0] ?? '')) return 'not found';
  return undefined;
}

/** The SDK has the status as a number or as text, of the store or of the token endpoint. */
function statusOf(error: unknown): number | undefined {
  const { code, status, response } = error as {
    code?: unknown;
    status?: unknown;
    response?: { status?: unknown };
  };
  return [code, status, response?.status].map(Number).find((one) => one >= 100 && one < 600);
}

/** The StoreError of whatever the SDK threw for an action. */
export function gcsProblem(
  error: unknown,
  action: GcsAction,
  settings: GcsSettings,
  url: string,
): StoreError {
  if (error instanceof StoreError) return error;
  const status = statusOf(error);
  const { bucket } = settings.address;
  const said = oneLine(messageOf(error));
  return (
    metadataProblem(error, settings) ??
    networkProblem(error, url) ??
    busyProblem(status, url) ??
    credentialsProblem(status, said, settings) ??
    (status === 404
      ? new StoreError(
          'STORE_BUCKET_MISSING',
          'denied',
          `there is no bucket ${bucket} at ${url}`,
          'create the bucket, or correct CELLD_BUCKET',
        )
      : undefined) ??
    (status === 403
      ? new StoreError(
          'STORE_PERMISSION',
          'denied',
          `no permission: ${action} on bucket ${bucket} is missing: ${said}`,
          `give ${sourceOf(settings)} the role Storage Object Admin (roles/storage.objectAdmin) on the bucket`,
        )
      : undefined) ??
    unexpectedProblem(
      status,
      `${url}: ${action} was answered with ${status === undefined ? said : `${status} ${said}`}`,
    )
  );
}

function sourceOf({ credentials }: GcsSettings): string {
  if (credentials.from !== 'default') return credentials.variable;
  return credentials.path === undefined
    ? 'the metadata server, as no GOOGLE_ variable names any'
    : 'GOOGLE_APPLICATION_CREDENTIALS';
}

/** Outside of Google's cloud the name of the metadata server leads nowhere: that is no store that is down. */
function metadataProblem(error: unknown, settings: GcsSettings): StoreError | undefined {
  const said = messageOf(error);
  const about = /metadata\.google\.internal|169\.254\.169\.254|computeMetadata/u;
  if (!about.test(said)) return undefined;
  return new StoreError(
    'STORE_CREDENTIALS',
    'denied',
    `credentials (${sourceOf(settings)}): none to be had: ${oneLine(said)}`,
    'give the pod GKE Workload Identity, or a service account key by GOOGLE_APPLICATION_CREDENTIALS',
  );
}

function credentialsProblem(
  status: number | undefined,
  said: string,
  settings: GcsSettings,
): StoreError | undefined {
  const token = /invalid_grant|invalid_client|unauthorized_client|invalid_rapt|DECODER|PEM/u;
  if (status !== 401 && !token.test(said)) return undefined;
  return new StoreError(
    'STORE_CREDENTIALS',
    'denied',
    `credentials (${sourceOf(settings)}): Google does not accept them: ${said}`,
  );
}
