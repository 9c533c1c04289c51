// What S3 and its relatives answer when they do not do something, in words a person can act on.
import { messageOf, oneLine } from '../core/problem.ts';
import { broken } from './conditional-writes.ts';
import { busyProblem, networkProblem, unexpectedProblem } from './network-problems.ts';
import { StoreError } from './object-store.ts';
import type { S3Settings } from './s3-settings.ts';
import { keyUnder } from './store-address.ts';

export type S3Action = 's3:ListBucket' | 's3:GetObject' | 's3:PutObject' | 's3:DeleteObject';

/** What the SDK keeps of an answer. */
interface Answer {
  readonly name?: string;
  readonly $metadata?: { readonly httpStatusCode?: number };
  readonly $response?: { readonly headers?: Readonly<Record<string, string>> };
  readonly Region?: string;
}

const WRONG_CREDENTIALS: { readonly [code: string]: string } = {
  InvalidAccessKeyId: 'the store does not know the access key',
  SignatureDoesNotMatch: 'the secret key does not fit the access key',
  ExpiredToken: 'the credentials have expired',
  ExpiredTokenException: 'the credentials have expired',
  TokenRefreshRequired: 'the credentials have expired',
  InvalidToken: 'the session token is not valid',
  InvalidClientTokenId: 'the store does not know the access key',
  XAdminUserNotFound: 'the store does not know the access key', // Versity
  RequestTimeTooSkewed: 'the clock of this machine differs from the clock of the store',
  InvalidIdentityToken: 'the role does not accept the token of this ServiceAccount',
};

/** What a condition or a missing key looks like; undefined for every other answer. */
export function s3Answer(error: unknown): 'condition does not hold' | 'no such key' | undefined {
  const { name = '', $metadata } = error as Answer;
  const status = $metadata?.httpStatusCode;
  if (status === 412 || name === 'ConditionalRequestConflict') return 'condition does not hold';
  if (status === 409 && name !== 'OperationAborted') return 'condition does not hold';
  if (name === 'NoSuchKey' || name === 'NotFound') return 'no such key';
  return undefined;
}

/** The StoreError of whatever the SDK threw for an action. */
export function s3Problem(error: unknown, action: S3Action, settings: S3Settings): StoreError {
  if (error instanceof StoreError) return error;
  const target = s3Target(settings);
  const answer = error as Answer;
  const status = answer.$metadata?.httpStatusCode;
  return (
    networkProblem(error, target) ??
    credentialsProblem(error, answer, settings) ??
    endpointProblem(answer, status, settings) ??
    missingProblem(answer, status, action, settings) ??
    busyProblem(status, target) ??
    deniedProblem(error, status, action, settings) ??
    unexpectedProblem(
      status,
      `${target}: ${action} was answered with ${[status, answer.name, oneLine(messageOf(error))].filter((part) => part !== undefined).join(' ')}`,
    )
  );
}

function s3Target({ endpoint, region }: S3Settings): string {
  return endpoint ?? `Amazon S3 in ${region}`;
}

const SOURCES: { readonly [from in S3Settings['credentials']['from']]: string } = {
  keys: 'AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY',
  file: 'AWS_SHARED_CREDENTIALS_FILE',
  'web identity': 'AWS_ROLE_ARN and AWS_WEB_IDENTITY_TOKEN_FILE',
  container: 'AWS_CONTAINER_CREDENTIALS_FULL_URI',
  'instance metadata': 'the instance metadata of the machine, as no AWS_ variable names any',
};

function credentialsProblem(
  error: unknown,
  { name = '', $metadata }: Answer,
  { credentials }: S3Settings,
): StoreError | undefined {
  const source = `credentials (${SOURCES[credentials.from]})`;
  const wrong = WRONG_CREDENTIALS[name];
  if (wrong !== undefined) {
    return new StoreError('STORE_CREDENTIALS', 'denied', `${source}: ${wrong} (${name})`);
  }
  // Only the providers of the SDK throw without having asked the store.
  const provider = /Credentials|Provider/u.test(name) || name === 'TokenProviderError';
  const assumed = $metadata !== undefined && /AssumeRole/u.test(messageOf(error));
  if (!provider && !assumed) return undefined;
  return new StoreError(
    'STORE_CREDENTIALS',
    'denied',
    `${source}: none to be had: ${oneLine(messageOf(error))}`,
    'give the pod credentials that may use the bucket',
  );
}

/** 301, 307 and AuthorizationHeaderMalformed name the region; a web page instead of XML is no S3 at all. */
function endpointProblem(
  { name = '', $response, Region }: Answer,
  status: number | undefined,
  settings: S3Settings,
): StoreError | undefined {
  const headers = $response?.headers ?? {};
  const region = headers['x-amz-bucket-region'] ?? Region;
  const moved = status === 301 || status === 307 || name === 'AuthorizationHeaderMalformed';
  const elsewhere = region !== undefined && region !== settings.region;
  if (moved || (status === 400 && elsewhere)) {
    return new StoreError(
      'STORE_ENDPOINT',
      'final',
      elsewhere
        ? `bucket ${settings.address.bucket} is in region ${region}, not in ${settings.region}`
        : `bucket ${settings.address.bucket} is not to be had at ${s3Target(settings)} (${name})`,
      elsewhere ? `set AWS_REGION to ${region}` : 'check S3_ENDPOINT and AWS_REGION',
    );
  }
  const page = /^text\/html/iu.test(headers['content-type'] ?? '');
  if (!page || status === undefined || status >= 500) return undefined;
  return noS3(settings);
}

/** The StoreError of an endpoint that answers as no S3 does. */
export function noS3(settings: S3Settings): StoreError {
  return new StoreError(
    'STORE_ENDPOINT',
    'final',
    `${s3Target(settings)}: answers, but not as an S3 endpoint does`,
    'check S3_ENDPOINT: the console of a store often has a port of its own',
  );
}

function missingProblem(
  { name = '' }: Answer,
  status: number | undefined,
  action: S3Action,
  settings: S3Settings,
): StoreError | undefined {
  const { bucket } = settings.address;
  // Without a body there is no code to go by.
  const nameless = status === 404 && /^(?:NotFound|Unknown)/u.test(name);
  if (name === 'NoSuchBucket' || (nameless && action === 's3:ListBucket')) {
    return new StoreError(
      'STORE_BUCKET_MISSING',
      'denied',
      `there is no bucket ${bucket} at ${s3Target(settings)}`,
      'create the bucket, or correct CELLD_BUCKET',
    );
  }
  if (action !== 's3:PutObject') return undefined;
  if (name === 'NoSuchKey') return broken('answered a create-only write with NoSuchKey');
  if (status === 501 || name === 'NotImplemented')
    return broken('does not know conditional writes');
  return undefined;
}

function deniedProblem(
  error: unknown,
  status: number | undefined,
  action: S3Action,
  { address, credentials }: S3Settings,
): StoreError | undefined {
  if (status !== 401 && status !== 403) return undefined;
  const resource =
    action === 's3:ListBucket' ? address.bucket : `${address.bucket}/${keyUnder(address, '*')}`;
  const needed =
    action === 's3:GetObject' ? `${action} (and s3:ListBucket, for keys not there)` : action;
  return new StoreError(
    'STORE_PERMISSION',
    'denied',
    `no permission: ${needed} on arn:aws:s3:::${resource} is missing: ${oneLine(messageOf(error))}`,
    `allow s3:ListBucket on the bucket and s3:GetObject, s3:PutObject, s3:DeleteObject on its keys to the credentials from ${SOURCES[credentials.from]}`,
  );
}
