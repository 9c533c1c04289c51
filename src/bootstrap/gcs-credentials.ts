// Google credentials in the order and the shapes celld's library reads, no more: what the node cannot
// use, bootstrap must not use either.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AuthClient, Compute, JWT, UserRefreshClient } from 'google-auth-library';
import { isObject, type JsonObject, stringAt } from '../core/json.ts';
import { messageOf, oneLine } from '../core/problem.ts';
import type { GcsSettings } from './gcs-settings.ts';
import { StoreError } from './object-store.ts';

export interface GcsAccess {
  /** Absent when the key file says `disable_oauth`, as for an emulator. */
  readonly client?: AuthClient;
  readonly url: string;
}

const GOOGLE = 'https://storage.googleapis.com';
const SCOPES = ['https://www.googleapis.com/auth/devstorage.full_control'];
const GCLOUD_FILE = ['.config', 'gcloud', 'application_default_credentials.json'];

/** The way in for the settings. Throws a STORE_CREDENTIALS error for a file that cannot be used. */
export function gcsAccess({ credentials }: GcsSettings): GcsAccess {
  switch (credentials.from) {
    case 'service account file':
      return serviceAccount(
        readKey(readFile(credentials.path, credentials.variable), credentials.variable),
        credentials.variable,
      );
    case 'service account text':
      return serviceAccount(readKey(credentials.json, credentials.variable), credentials.variable);
    case 'default':
      return defaultAccess(credentials);
  }
}

/** A key of its own variable may also name another endpoint, which the default credentials may not. */
function serviceAccount(key: JsonObject, variable: string): GcsAccess {
  const url = stringAt(key, 'gcs_base_url') ?? GOOGLE;
  return key['disable_oauth'] === true ? { url } : { url, client: jwt(key, variable) };
}

function defaultAccess({
  path,
  home,
}: Extract<GcsSettings['credentials'], { from: 'default' }>): GcsAccess {
  const own = home === undefined ? undefined : join(home, ...GCLOUD_FILE);
  const file = path ?? (own !== undefined && existsSync(own) ? own : undefined);
  if (file === undefined) return { url: GOOGLE, client: new Compute({ scopes: SCOPES }) };
  const variable = path === undefined ? file : 'GOOGLE_APPLICATION_CREDENTIALS';
  const key = readKey(readFile(file, variable), variable);
  const type = stringAt(key, 'type');
  if (type === 'service_account') return { url: GOOGLE, client: jwt(key, variable) };
  if (type === 'authorized_user') {
    return {
      url: GOOGLE,
      client: new UserRefreshClient({
        clientId: field(key, 'client_id', variable),
        clientSecret: field(key, 'client_secret', variable),
        refreshToken: field(key, 'refresh_token', variable),
      }),
    };
  }
  return refuseKey(
    variable,
    `its type is ${JSON.stringify(type ?? null)}: celld reads "service_account" and "authorized_user"`,
    type === 'external_account'
      ? 'use GKE Workload Identity, which needs no file, or a service account key'
      : undefined,
  );
}

function jwt(key: JsonObject, variable: string): JWT {
  return new JWT({
    email: field(key, 'client_email', variable),
    key: field(key, 'private_key', variable),
    scopes: SCOPES,
  });
}

function field(key: JsonObject, name: string, variable: string): string {
  return stringAt(key, name) ?? refuseKey(variable, `it has no ${name}`);
}

function readFile(path: string, variable: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    return refuseKey(variable, oneLine(messageOf(error)));
  }
}

function readKey(json: string, variable: string): JsonObject {
  try {
    const key: unknown = JSON.parse(json);
    if (isObject(key)) return key;
  } catch {
    // The parser's message shows a piece of the key.
  }
  return refuseKey(variable, 'it is no JSON object');
}

function refuseKey(variable: string, complaint: string, hint?: string): never {
  throw new StoreError(
    'STORE_CREDENTIALS',
    'final',
    `credentials (${variable}): ${complaint}`,
    hint,
  );
}
