// The Helm values of the Release.
import type { CelldStackSpec } from '../api/celld-stack.gen.ts';
import type { ReleaseLine } from '../celld/releases.ts';
import type { Json, JsonObject } from '../core/json.ts';
import { canonicalText } from '../core/json.ts';
import { mergeValues } from '../core/merge.ts';
import { sha256Hex } from '../core/sha256.ts';
import type { Artifacts } from './artifacts.ts';
import type { ChartPlan } from './chart.ts';
import type { Identity } from './identity.ts';
import { bucketFromValues, type Storage } from './storage.ts';

export interface ValuesInput {
  readonly spec: CelldStackSpec;
  readonly releaseName: string;
  readonly fullname: string;
  readonly storage: Storage;
  readonly identity: Identity;
  readonly chart: ChartPlan;
  /** The image of the bootstrap program. */
  readonly image: Artifacts['image'];
  readonly tag: string;
  readonly line: ReleaseLine;
  readonly durability: 'fleet' | 'bucket';
  readonly updateStrategy: 'RollingUpdate' | 'OnDelete';
}

/** The name of the Secret with a copied AWS credentials file. */
export function copiedSecretName(releaseName: string): string {
  return `${releaseName}-aws`;
}

/**
 * The values Helm gets: `overrideAllValues` as they are, or the stack's with the user's `values` over
 * them. Nothing is null and nothing is empty: celld refuses an empty variable.
 */
export function releaseValues(input: ValuesInput): JsonObject {
  const { spec, chart } = input;
  if (spec.overrideAllValues !== undefined) return mergeValues({}, spec.overrideAllValues);
  const defaults = chart.own
    ? mergeValues(commonValues(input), ownValues(input))
    : mergeValues(commonValues(input), foreignValues(input));
  const merged = mergeValues(defaults, spec.values ?? {});
  if (!chart.own) return merged;
  // What is asked of the fleet, in one word. The chart writes it on the StatefulSet, where it shows
  // that everything below has arrived.
  const expectation = sha256Hex(canonicalText([merged, chart.source])).slice(0, 16);
  return mergeValues({ expectation }, merged);
}

/** Values that every celld chart knows. */
function commonValues(input: ValuesInput): JsonObject {
  const { spec, fullname, storage, identity } = input;
  const { persistence, dev, azurite } = spec;
  return compact({
    fullnameOverride: fullname,
    replicaCount: dev.enabled ? 1 : spec.replicaCount,
    image: { repository: spec.image.repository, tag: input.tag, pullPolicy: spec.image.pullPolicy },
    celld: {
      bucket: 'uri' in storage ? storage.uri : undefined,
      endpoint: storage.kind === 'bucket' ? storage.endpoint : undefined,
      region: 'region' in storage ? storage.region : spec.region,
    },
    credentials: credentials(identity, input.releaseName),
    serviceAccount: {
      create: true,
      name: fullname,
      annotations: spec.serviceAccount?.annotations,
    },
    persistence: { ...persistence },
    dev: dev.enabled
      ? { ...dev, watch: dev.watch && dev.hostPath !== undefined }
      : { enabled: false },
    azurite: azurite.enabled
      ? { ...azurite, persistence: { ...azurite.persistence } }
      : { enabled: false },
    service: dev.enabled ? { port: dev.port } : undefined,
    terminationGracePeriodSeconds: input.line.leastGraceSeconds,
    podLabels: podLabels(input),
  });
}

/** Values that only the chart of this package knows. */
function ownValues(input: ValuesInput): JsonObject {
  const { spec, line, identity, storage } = input;
  const { image } = input;
  return compact({
    // A node without a bucket is a choice the chart wants to hear: left to chance it is a mistake.
    celld: {
      durability: input.durability,
      withoutBucket: storage.kind === 'none' && !bucketFromValues(spec) ? true : undefined,
    },
    credentials:
      identity.kind === 'google-key'
        ? { googleServiceAccount: { secretName: identity.secretName, key: identity.key } }
        : undefined,
    azure: storage.kind === 'bucket' ? { ...spec.azure } : undefined,
    probes: { path: line.healthPath },
    updateStrategy: { type: input.updateStrategy },
    telemetry: { endpoint: spec.telemetry?.endpoint },
    bootstrapPlaceholder:
      spec.bootstrap.enabled && storage.kind !== 'none' && storage.kind !== 'dev',
    bootstrap: {
      // Azurite comes without a container, which nobody but bootstrap makes.
      enabled: spec.bootstrap.enabled || storage.kind === 'azurite' ? undefined : false,
      image: { ...image },
    },
  });
}

/**
 * The same wishes for a chart that does not know them, as far as variables can carry them. Such a
 * chart gives a node no lasting identity, so acknowledging writes from disks would not be safe: peers.
 */
function foreignValues({ spec, storage, line }: ValuesInput): JsonObject {
  const azure = storage.kind === 'bucket' && storage.parts.scheme === 'az' ? spec.azure : undefined;
  return compact({
    extraEnv: [
      ...(line.internalListener && storage.kind !== 'dev'
        ? [{ name: 'CELLD_DURABILITY', value: spec.durability ?? 'bucket' }]
        : []),
      ...(azure?.accountName === undefined
        ? []
        : [{ name: 'AZURE_STORAGE_ACCOUNT_NAME', value: azure.accountName }]),
      ...(azure?.clientId === undefined
        ? []
        : [{ name: 'AZURE_CLIENT_ID', value: azure.clientId }]),
    ],
  });
}

function credentials(identity: Identity, releaseName: string): Loose | undefined {
  if (identity.kind === 'existing-secret') return { existingSecret: identity.name };
  if (identity.kind !== 'secret-copy') return undefined;
  return {
    sharedCredentialsSecret: copiedSecretName(releaseName),
    sharedCredentialsKey: 'credentials',
  };
}

/** The AKS webhook gives a token only to pods with this label. */
function podLabels({ spec, storage }: ValuesInput): Loose | undefined {
  const azure = storage.kind === 'bucket' && storage.parts.scheme === 'az';
  const annotations = spec.serviceAccount?.annotations ?? {};
  return azure && annotations['azure.workload.identity/client-id'] !== undefined
    ? { 'azure.workload.identity/use': 'true' }
    : undefined;
}

type Loose = { readonly [key: string]: Json | Loose | undefined };

/** Without undefined, empty text, and the maps and lists that are empty then. */
function compact(value: Loose): JsonObject {
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, child]): [string, Json | undefined] => [
        key,
        isMap(child) ? compact(child) : (child as Json | undefined),
      ])
      .filter((entry): entry is [string, Json] => !isEmpty(entry[1])),
  );
}

function isMap(value: Json | Loose | undefined): value is Loose {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isEmpty(value: Json | undefined): boolean {
  if (value === undefined || value === '') return true;
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}
