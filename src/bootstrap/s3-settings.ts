// The S3 part of the environment: endpoint, region, and the first kind of credentials that is there.
import { refuse } from '../core/problem.ts';
import { type Environment, variable } from './environment.ts';
import type { StoreAddress } from './store-address.ts';

export interface S3Settings {
  readonly kind: 's3';
  readonly address: StoreAddress;
  readonly region: string;
  /** An S3-compatible endpoint, asked path-style; AWS itself when absent. */
  readonly endpoint?: string;
  readonly credentials: S3Credentials;
}

export type S3Credentials =
  | {
      readonly from: 'keys';
      readonly accessKeyId: string;
      readonly secretAccessKey: string;
      readonly sessionToken?: string;
    }
  /** The profile `default` of a credentials file. */
  | { readonly from: 'file'; readonly path: string }
  | { readonly from: 'web identity'; readonly tokenFile: string; readonly roleArn: string }
  | {
      readonly from: 'container';
      readonly fullUri?: string;
      readonly relativeUri?: string;
      readonly tokenFile?: string;
    }
  | { readonly from: 'instance metadata' };

/** Reads S3_ENDPOINT and the AWS_ variables. Throws a STORE_SETTINGS problem for half a pair or no URL. */
export function s3Settings(address: StoreAddress, environment: Environment): S3Settings {
  const endpoint = variable(environment, 'S3_ENDPOINT');
  if (endpoint !== undefined) checkEndpoint(endpoint);
  return {
    kind: 's3',
    address,
    region:
      variable(environment, 'AWS_REGION') ??
      variable(environment, 'AWS_DEFAULT_REGION') ??
      'us-east-1',
    ...(endpoint === undefined ? {} : { endpoint }),
    credentials: s3Credentials(environment),
  };
}

function checkEndpoint(endpoint: string): void {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  const fine =
    (url?.protocol === 'http:' || url?.protocol === 'https:') &&
    url.username === '' &&
    url.password === '' &&
    url.search === '';
  // The value is not shown: a person may have put keys into it.
  if (!fine) {
    refuse('STORE_SETTINGS', 'expected a URL like https://s3.example.com, without a user', {
      path: 'S3_ENDPOINT',
    });
  }
}

function s3Credentials(environment: Environment): S3Credentials {
  const of = (name: string) => variable(environment, name);
  const keys = pair(environment, 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY');
  if (keys !== undefined) {
    const sessionToken = of('AWS_SESSION_TOKEN');
    return {
      from: 'keys',
      accessKeyId: keys[0],
      secretAccessKey: keys[1],
      ...(sessionToken === undefined ? {} : { sessionToken }),
    };
  }
  // The node itself never reads this file; the chart turns it into the two keys in front of it.
  const path = of('AWS_SHARED_CREDENTIALS_FILE');
  if (path !== undefined) return { from: 'file', path };
  const web = pair(environment, 'AWS_WEB_IDENTITY_TOKEN_FILE', 'AWS_ROLE_ARN');
  if (web !== undefined) return { from: 'web identity', tokenFile: web[0], roleArn: web[1] };
  return containerCredentials(environment) ?? { from: 'instance metadata' };
}

function containerCredentials(environment: Environment): S3Credentials | undefined {
  const relativeUri = variable(environment, 'AWS_CONTAINER_CREDENTIALS_RELATIVE_URI');
  if (relativeUri !== undefined) return { from: 'container', relativeUri };
  const pod = pair(
    environment,
    'AWS_CONTAINER_CREDENTIALS_FULL_URI',
    'AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE',
  );
  return pod === undefined ? undefined : { from: 'container', fullUri: pod[0], tokenFile: pod[1] };
}

/** Two variables that mean something only together. */
function pair(
  environment: Environment,
  left: string,
  right: string,
): readonly [string, string] | undefined {
  const [a, b] = [variable(environment, left), variable(environment, right)];
  if (a !== undefined && b !== undefined) return [a, b];
  if (a === undefined && b === undefined) return undefined;
  const [missing, present] = a === undefined ? [left, right] : [right, left];
  return refuse('STORE_SETTINGS', `required value: ${present} is set`, { path: missing });
}
