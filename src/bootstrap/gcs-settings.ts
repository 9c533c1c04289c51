// The Google part of the environment: where the credentials are, in the order celld looks for them.
import { type Environment, variable } from './environment.ts';
import type { StoreAddress } from './store-address.ts';

export interface GcsSettings {
  readonly kind: 'gs';
  readonly address: StoreAddress;
  readonly credentials: GcsCredentials;
}

export type GcsCredentials =
  | { readonly from: 'service account file'; readonly path: string; readonly variable: string }
  | { readonly from: 'service account text'; readonly json: string; readonly variable: string }
  /** GOOGLE_APPLICATION_CREDENTIALS, else gcloud's own file when it exists, else the metadata server. */
  | { readonly from: 'default'; readonly path?: string; readonly home?: string };

const FILES = ['GOOGLE_SERVICE_ACCOUNT', 'GOOGLE_SERVICE_ACCOUNT_PATH', 'SERVICE_ACCOUNT'] as const;

/** Reads the GOOGLE_ variables; the files they name are read when the store is opened. */
export function gcsSettings(address: StoreAddress, environment: Environment): GcsSettings {
  return { kind: 'gs', address, credentials: gcsCredentials(environment) };
}

function gcsCredentials(environment: Environment): GcsCredentials {
  for (const name of FILES) {
    const path = variable(environment, name);
    if (path !== undefined) return { from: 'service account file', path, variable: name };
  }
  const json = variable(environment, 'GOOGLE_SERVICE_ACCOUNT_KEY');
  if (json !== undefined) {
    return { from: 'service account text', json, variable: 'GOOGLE_SERVICE_ACCOUNT_KEY' };
  }
  const path = variable(environment, 'GOOGLE_APPLICATION_CREDENTIALS');
  const home = variable(environment, 'HOME');
  return {
    from: 'default',
    ...(path === undefined ? {} : { path }),
    ...(home === undefined ? {} : { home }),
  };
}
