// XRs by the hundred: pieces of valid specs put together, and the same with one thing broken.
import { isList, isObject, type Json, type JsonObject, objectAt } from '../../src/core/json.ts';
import { type Random, random } from './random.ts';

export interface XrCase {
  readonly name: string;
  /** What was done to it. */
  readonly why: string;
  readonly xr: JsonObject;
  /** The XR that it replaces. */
  readonly previous?: JsonObject;
}

/** Pieces of a spec, each valid by itself. Two of them may contradict each other: both sides must see it. */
const PIECES: readonly JsonObject[] = [
  { bucket: 's3://cells' },
  { bucket: 's3://cells/prod/eu', endpoint: 'https://objects.example.com' },
  { bucket: 'gs://cells', credentials: { googleServiceAccount: { secretName: 'gcs' } } },
  { bucket: 'az://cells', azure: { accountName: 'cellsaccount' } },
  { azurite: { enabled: true, container: 'cells' } },
  { azurite: { enabled: true, persistence: { enabled: false } } },
  { aws: { enabled: true, region: 'eu-central-1', rolePrefix: 'team-' } },
  { aws: { enabled: true, bucketName: 'cells-of-a-team', forceDestroy: true } },
  {
    aws: { enabled: true, podIdentity: { enabled: false }, credentialsSecretRef: { name: 'keys' } },
  },
  { aws: { enabled: true, kmsKeyArn: 'arn:aws:kms:eu-central-1:123456789012:key/abc' } },
  { aws: { enabled: true, deletionPolicy: 'Orphan' } },
  { dev: { enabled: true, hostPath: '/src', port: 9000 } },
  { replicaCount: 3 },
  { replicaCount: 3, durability: 'bucket', persistence: { enabled: false } },
  { durability: 'fleet' },
  { image: { tag: '0.6.1', pullPolicy: 'Always' } },
  { image: { repository: 'registry.example.com/celld' } },
  { releaseName: 'workers' },
  { namespace: 'team-cells', createNamespace: false },
  { chartVersion: '0.4.0' },
  { chartRepository: 'https://hops-ops.github.io/celld-chart' },
  { chartUrl: 'https://charts.example.com/celld-1.tgz' },
  { credentials: { existingSecret: 'keys' } },
  { persistence: { size: '1.5Gi', storageClassName: 'fast' } },
  { persistence: { existingClaim: 'disk' } },
  { serviceAccount: { annotations: { 'iam.gke.io/gcp-service-account': 'a@b.example.com' } } },
  { tags: { team: 'cells' }, labels: { team: 'cells' } },
  { managementPolicies: ['Observe', 'Create'] },
  { providerConfigRefs: { helm: { name: 'helm', kind: 'ClusterProviderConfig' } } },
  { helmProviderConfigRef: { name: 'old' } },
  { upgrade: { strategy: 'Recreate' }, telemetry: { endpoint: 'http://otel:4318' } },
  { bootstrap: { enabled: false } },
  { values: { podLabels: { team: 'cells' }, extraEnv: [{ name: 'A', value: 'b' }] } },
  { overrideAllValues: { replicaCount: 2, celld: { bucket: 's3://other' } } },
];

const NAMES = ['celld', 'a', 'team-cells', 'n'.repeat(52)];

/** XRs of two to five pieces each. */
export function composedCases(count: number, seed: number): readonly XrCase[] {
  const chance = random(seed);
  return Array.from({ length: count }, (_, index) => {
    const pieces = Array.from({ length: 1 + chance.below(4) }, () => chance.pick(PIECES));
    const spec = pieces.reduce(merge, { clusterName: 'target' });
    return {
      name: `composed-${index}`,
      why: `of ${pieces.map((piece) => Object.keys(piece).join('+')).join(', ')}`,
      xr: xrOf(chance.pick(NAMES), spec),
    };
  });
}

/** XRs with one thing broken, every third as an update of the one it was made from. */
export function brokenCases(count: number, seed: number): readonly XrCase[] {
  const chance = random(seed);
  return composedCases(count, seed + 1).map(({ xr }, index) => {
    const spec = objectAt(xr, 'spec');
    const places = placesIn(spec, []);
    const place = chance.pick(places);
    const { value, how } = breakValue(chance);
    const broken = { ...xr, spec: replaced(spec, place, value) as JsonObject };
    return {
      name: `broken-${index}`,
      why: `spec.${place.join('.')} ${how}`,
      xr: broken,
      ...(index % 3 === 0 ? { previous: xr } : {}),
    };
  });
}

function xrOf(name: string, spec: JsonObject): JsonObject {
  return {
    apiVersion: 'hops.ops.com.ai/v1alpha1',
    kind: 'CelldStack',
    metadata: { name, namespace: 'oracle' },
    spec,
  };
}

function merge(into: JsonObject, piece: JsonObject): JsonObject {
  const merged: { [key: string]: Json } = { ...into };
  for (const [key, value] of Object.entries(piece)) {
    const before = merged[key];
    merged[key] = isObject(before) && isObject(value) ? merge(before, value) : value;
  }
  return merged;
}

type Place = readonly (string | number)[];

/** Every place in a value, and beside each map a place for a field that no schema knows. */
function placesIn(value: Json, at: Place): readonly Place[] {
  const here = at.length === 0 ? [] : [at];
  if (isList(value)) return [...here, ...value.flatMap((item, i) => placesIn(item, [...at, i]))];
  if (!isObject(value)) return here;
  return [
    ...here,
    [...at, 'unknownField'],
    ...Object.entries(value).flatMap(([key, child]) => placesIn(child, [...at, key])),
  ];
}

function breakValue(chance: Random): { value: Json; how: string } {
  return chance.pick([
    { value: '', how: 'is empty' },
    { value: null, how: 'is null' },
    { value: 'x'.repeat(3000), how: 'is very long' },
    { value: 'Has Spaces & Capitals', how: 'has spaces and capitals' },
    { value: -1, how: 'is negative' },
    { value: 1.5, how: 'is a fraction' },
    { value: 1_000_000, how: 'is large' },
    { value: true, how: 'is a boolean' },
    { value: [], how: 'is an empty list' },
    { value: ['a', 'a'], how: 'is a list' },
    { value: {}, how: 'is an empty map' },
    { value: { unexpected: 'field' }, how: 'is a map' },
    { value: 's3://UPPER', how: 'is a bucket in capitals' },
    { value: 'other', how: 'is another word' },
  ]);
}

function replaced(value: Json, [first, ...rest]: Place, by: Json): Json {
  if (first === undefined) return by;
  if (isList(value)) return value.map((item, i) => (i === first ? replaced(item, rest, by) : item));
  const object = isObject(value) ? value : {};
  return { ...object, [first]: replaced(object[String(first)] ?? {}, rest, by) };
}
