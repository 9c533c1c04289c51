// The Azure part of the environment: the account and exactly one family of credentials, as celld insists.
import { refuse } from '../core/problem.ts';
import { type Environment, variable } from './environment.ts';
import type { StoreAddress } from './store-address.ts';

export interface AzureSettings {
  readonly kind: 'az';
  readonly address: StoreAddress;
  /** The URL of the account. */
  readonly url: string;
  readonly account: string;
  /** Azurite: bootstrap makes the container there, and only there. */
  readonly emulator: boolean;
  readonly credentials: AzureCredentials;
}

export type AzureCredentials =
  | { readonly from: 'account key'; readonly key: string }
  | {
      readonly from: 'workload identity';
      readonly clientId: string;
      readonly tenantId: string;
      readonly tokenFile: string;
    }
  | {
      readonly from: 'managed identity';
      readonly clientId?: string;
      readonly objectId?: string;
      readonly resourceId?: string;
    };

/** The account every Azurite has. Its key is printed in Azurite's own manual: no secret, a constant. */
const EMULATOR_ACCOUNT = 'devstoreaccount1';
const EMULATOR_KEY =
  'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==';

const IDENTITY_NAMES = ['AZURE_CLIENT_ID', 'AZURE_OBJECT_ID', 'AZURE_MSI_RESOURCE_ID'] as const;

/** Reads the AZURE_ variables and AZURITE_BLOB_STORAGE_URL. Throws a STORE_SETTINGS problem for a mix. */
export function azureSettings(address: StoreAddress, environment: Environment): AzureSettings {
  if (emulator(environment)) return emulatorSettings(address, environment);
  const account = variable(environment, 'AZURE_STORAGE_ACCOUNT_NAME');
  if (account === undefined) {
    return refuse('STORE_SETTINGS', 'required value: az:// needs the storage account', {
      path: 'AZURE_STORAGE_ACCOUNT_NAME',
    });
  }
  if (!/^[a-z0-9]{3,24}$/u.test(account)) {
    refuse('STORE_SETTINGS', 'expected 3 to 24 lower-case letters and digits', {
      path: 'AZURE_STORAGE_ACCOUNT_NAME',
    });
  }
  return {
    kind: 'az',
    address,
    url: `https://${account}.blob.core.windows.net`,
    account,
    emulator: false,
    credentials: azureCredentials(environment),
  };
}

function emulator(environment: Environment): boolean {
  const value = variable(environment, 'AZURE_STORAGE_USE_EMULATOR') ?? 'false';
  if (['true', '1'].includes(value)) return true;
  if (['false', '0'].includes(value)) return false;
  return refuse(
    'STORE_SETTINGS',
    `found ${JSON.stringify(value)}: expected "true", "1", "false" or "0"`,
    { path: 'AZURE_STORAGE_USE_EMULATOR' },
  );
}

function emulatorSettings(address: StoreAddress, environment: Environment): AzureSettings {
  const base = variable(environment, 'AZURITE_BLOB_STORAGE_URL') ?? 'http://127.0.0.1:10000';
  if (!URL.canParse(base) || !/^https?:$/u.test(new URL(base).protocol)) {
    refuse(
      'STORE_SETTINGS',
      `found ${JSON.stringify(base)}: expected a URL like http://azurite:10000`,
      {
        path: 'AZURITE_BLOB_STORAGE_URL',
      },
    );
  }
  const account = variable(environment, 'AZURE_STORAGE_ACCOUNT_NAME') ?? EMULATOR_ACCOUNT;
  return {
    kind: 'az',
    address,
    url: `${base.replace(/\/+$/u, '')}/${account}`,
    account,
    emulator: true,
    credentials: {
      from: 'account key',
      key: variable(environment, 'AZURE_STORAGE_ACCOUNT_KEY') ?? EMULATOR_KEY,
    },
  };
}

function azureCredentials(environment: Environment): AzureCredentials {
  const key = variable(environment, 'AZURE_STORAGE_ACCOUNT_KEY');
  const tokenFile = variable(environment, 'AZURE_FEDERATED_TOKEN_FILE');
  if (key !== undefined) {
    if (tokenFile !== undefined)
      refuseMix(['AZURE_STORAGE_ACCOUNT_KEY', 'AZURE_FEDERATED_TOKEN_FILE']);
    return { from: 'account key', key };
  }
  if (tokenFile !== undefined) return workloadIdentity(environment, tokenFile);
  const names = IDENTITY_NAMES.filter((one) => variable(environment, one) !== undefined);
  if (names.length > 1) refuseMix(names);
  const [name] = names;
  const value = name === undefined ? undefined : variable(environment, name);
  if (name === undefined || value === undefined) return { from: 'managed identity' };
  const field = {
    AZURE_CLIENT_ID: 'clientId',
    AZURE_OBJECT_ID: 'objectId',
    AZURE_MSI_RESOURCE_ID: 'resourceId',
  } as const;
  return { from: 'managed identity', [field[name]]: value };
}

function workloadIdentity(environment: Environment, tokenFile: string): AzureCredentials {
  const [clientId, tenantId] = ['AZURE_CLIENT_ID', 'AZURE_TENANT_ID'].map(
    (name) =>
      variable(environment, name) ??
      refuse('STORE_SETTINGS', 'required value: AZURE_FEDERATED_TOKEN_FILE is set', {
        path: name,
      }),
  ) as [string, string];
  return { from: 'workload identity', clientId, tenantId, tokenFile };
}

function refuseMix(names: readonly string[]): never {
  return refuse('STORE_SETTINGS', `found with ${names.slice(1).join(', ')}: expected one alone`, {
    path: names[0] ?? '',
  });
}
