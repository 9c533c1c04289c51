// Two stacks in one namespace of a cluster, or on one bucket, destroy each other's data.
//
// Every Release carries two labels, a hash of where it installs to and a hash of the store it uses, and
// the function asks for the Releases with its own two values. The answer is normally its own Release
// alone, however many stacks there are.
import {
  canonicalText,
  isObject,
  type Json,
  type JsonObject,
  listAt,
  stringAt,
} from '../core/json.ts';
import { sha256Hex } from '../core/sha256.ts';
import type { Notice, Requirement } from './composed.ts';
import { KEYS } from './keys.ts';

const TARGET_LABEL = 'hops.ops.com.ai/target';
const STORE_LABEL = 'hops.ops.com.ai/store';

/** The names under which the two answers come back. */
const TARGET = 'releases-of-this-namespace';
const STORE = 'releases-of-this-store';

const RELEASE = { apiVersion: 'helm.m.crossplane.io/v1beta1', kind: 'Release' } as const;

export interface Place {
  readonly providerConfig: { readonly kind: string; readonly name: string };
  /** The XR's namespace, which is also that of a namespaced ProviderConfig. */
  readonly xrNamespace: string;
  readonly namespace: string;
  /** The parts of the store's root; undefined for a store nobody else can have. */
  readonly storeRoot?: readonly string[];
}

/** The labels of the Release by which other stacks find it. */
export function conflictLabels(place: Place): { readonly [label: string]: string } {
  const { providerConfig, storeRoot } = place;
  const owner = providerConfig.kind === 'ProviderConfig' ? place.xrNamespace : '';
  return {
    [TARGET_LABEL]: hash([providerConfig.kind, providerConfig.name, owner, place.namespace]),
    ...(storeRoot === undefined ? {} : { [STORE_LABEL]: hash([...storeRoot]) }),
  };
}

/** What has to be known to find conflicts, from the labels of the own Release. */
export function conflictRequirements(labels: { readonly [label: string]: string }): {
  readonly [name: string]: Requirement;
} {
  const { [TARGET_LABEL]: target = '', [STORE_LABEL]: store } = labels;
  return {
    [TARGET]: { ...RELEASE, matchLabels: { [TARGET_LABEL]: target } },
    ...(store === undefined
      ? {}
      : { [STORE]: { ...RELEASE, matchLabels: { [STORE_LABEL]: store } } }),
  };
}

export interface Conflicts {
  /** The older stack in the same namespace of the same cluster, as text. */
  readonly namespace?: string;
  /** The older stack on the same store, as text. */
  readonly store?: string;
  readonly notices: readonly Notice[];
}

/**
 * The conflicts of the younger of two stacks; the older one has none. A stack without a Release is
 * younger than any that has one, and gets no Release of a name that is taken.
 */
export function findConflicts(
  xr: JsonObject,
  releaseName: string,
  observed: { readonly [key: string]: JsonObject },
  required: { readonly [name: string]: readonly JsonObject[] },
): Conflicts {
  const own = observed[KEYS.release];
  const older = (name: string) =>
    (required[name] ?? []).filter((other) => !isOurs(other, xr, own) && isOlder(other, own))[0];
  const sameNamespace = older(TARGET);
  const sameStore = older(STORE);
  const taken = (required[TARGET] ?? []).find(
    (other) => !isOurs(other, xr, own) && isOlder(other, own) && helmNameOf(other) === releaseName,
  );
  const notices: Notice[] = [];
  if (taken !== undefined) {
    notices.push({
      severity: 'fatal',
      reason: 'ReleaseNameTaken',
      message: `spec.releaseName: ${JSON.stringify(releaseName)} is the release of ${ownerOf(taken)} in the same namespace of the same cluster: choose another spec.namespace, or another spec.releaseName`,
    });
  }
  if (sameNamespace !== undefined) {
    notices.push(warning('NamespaceShared', namespaceMessage(ownerOf(sameNamespace))));
  }
  if (sameStore !== undefined) {
    notices.push(warning('StoreShared', storeMessage(ownerOf(sameStore))));
  }
  return {
    ...(sameNamespace === undefined ? {} : { namespace: namespaceMessage(ownerOf(sameNamespace)) }),
    ...(sameStore === undefined ? {} : { store: storeMessage(ownerOf(sameStore)) }),
    notices,
  };
}

function namespaceMessage(other: string): string {
  return `${other} runs in the same namespace of the same cluster: choose another spec.namespace; this stack does not remove the namespace`;
}

function storeMessage(other: string): string {
  return `${other} keeps its data in the same place: two fleets on one store destroy each other's data; give this one another bucket or prefix`;
}

function warning(reason: string, message: string): Notice {
  return { severity: 'warning', reason, message };
}

function hash(parts: readonly Json[]): string {
  return sha256Hex(canonicalText(parts)).slice(0, 16);
}

function isOurs(other: JsonObject, xr: JsonObject, own: JsonObject | undefined): boolean {
  const uid = stringAt(other, 'metadata', 'uid');
  if (uid !== undefined && uid === stringAt(own, 'metadata', 'uid')) return true;
  const xrUid = stringAt(xr, 'metadata', 'uid');
  const owners = listAt(other, 'metadata', 'ownerReferences').filter(isObject);
  if (xrUid !== undefined && owners.some((owner) => owner['uid'] === xrUid)) return true;
  return (
    stringAt(other, 'metadata', 'namespace') === stringAt(xr, 'metadata', 'namespace') &&
    stringAt(other, 'metadata', 'labels', 'crossplane.io/composite') ===
      stringAt(xr, 'metadata', 'name')
  );
}

/** Creation times have the same form everywhere, so they compare as text; uids break ties. */
function isOlder(other: JsonObject, own: JsonObject | undefined): boolean {
  if (own === undefined) return true;
  const [theirs, ours] = [other, own].map((release) => [
    stringAt(release, 'metadata', 'creationTimestamp') ?? '',
    stringAt(release, 'metadata', 'uid') ?? '',
  ]);
  return canonicalText(theirs ?? []) < canonicalText(ours ?? []);
}

function helmNameOf(release: JsonObject): string | undefined {
  return (
    stringAt(release, 'metadata', 'annotations', 'crossplane.io/external-name') ??
    stringAt(release, 'metadata', 'name')
  );
}

function ownerOf(release: JsonObject): string {
  const namespace = stringAt(release, 'metadata', 'namespace') ?? '';
  const name = stringAt(release, 'metadata', 'labels', 'crossplane.io/composite');
  return name === undefined
    ? `Release ${namespace}/${stringAt(release, 'metadata', 'name') ?? ''}`
    : `CelldStack ${namespace}/${name}`;
}
