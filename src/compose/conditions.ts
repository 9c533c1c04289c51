// What the stack says about itself: five conditions and whether it has its place to itself. Each names the
// object it speaks of and what it waits for, and passes on the provider's own words when it failed.
// A text changes only when a fact changed: every change is a write that Crossplane counts.
import { type JsonObject, stringAt } from '../core/json.ts';
import { publicMessage } from '../core/redact.ts';
import type { Condition, DesiredResource } from './composed.ts';
import { bucketIdOf, releaseGates } from './desired.ts';
import { KEYS, type Key } from './keys.ts';
import { failureOf, titleOf } from './observed.ts';
import type { Plan } from './plan.ts';
import { isDeployed } from './readiness.ts';
import { PROTECTIONS } from './resources/usages.ts';
import { bucketFromValues } from './storage.ts';

export interface Outlook {
  readonly plan: Plan;
  readonly observed: { readonly [key: string]: JsonObject };
  readonly resources: { readonly [key: string]: DesiredResource };
  readonly waiting: readonly Key[];
}

/** The conditions, always all of them and always in this order. */
export function conditionsOf(outlook: Outlook): readonly Condition[] {
  return [
    { type: 'StorageReady', ...storage(outlook) },
    { type: 'IdentityReady', ...identity(outlook) },
    { type: 'ReleaseReady', ...release(outlook) },
    { type: 'FleetReady', ...fleet(outlook) },
    { type: 'DeletionProtected', ...protection(outlook) },
    { type: 'Exclusive', ...exclusive(outlook.plan) },
  ];
}

type Verdict = Omit<Condition, 'type'>;

function yes(reason: string, message: string): Verdict {
  return { status: 'True', reason, message };
}

function no(reason: string, message: string): Verdict {
  return { status: 'False', reason, message };
}

/**
 * The verdict on a composed resource that is not ready, or undefined when it is. Whether it exists yet
 * makes no difference to the text: that would be one more write for every object of a stack.
 */
function lacking({ resources, observed }: Outlook, key: Key, what: string): Verdict | undefined {
  const resource = resources[key];
  if (resource === undefined || resource.ready) return undefined;
  const title = titleOf(observed[key] ?? resource.object);
  const failure = failureOf(observed[key]);
  return failure === undefined || WAITING.test(failure)
    ? no(`${what}NotReady`, `waiting for ${title} to become ready`)
    : no(`${what}Failed`, `${title}: ${failure}`);
}

/** What a provider reports as an error while what an object refers to is still on its way. */
const WAITING = /^cannot resolve references: .*may not yet be ready/u;

function firstLacking(outlook: Outlook, ...parts: readonly (readonly [Key, string])[]) {
  for (const [key, what] of parts) {
    const found = lacking(outlook, key, what);
    if (found !== undefined) return found;
  }
  return undefined;
}

function storage(outlook: Outlook): Verdict {
  const { plan, observed } = outlook;
  const found = firstLacking(
    outlook,
    [KEYS.bucket, 'Bucket'],
    [KEYS.publicAccessBlock, 'PublicAccessBlock'],
    [KEYS.encryption, 'Encryption'],
  );
  if (found !== undefined) return found;
  switch (plan.storage.kind) {
    case 'aws':
      return bucketIdOf(observed[KEYS.bucket]) === undefined
        ? no('BucketNotReady', `waiting for ${titleOf(bucketObject(outlook))} to exist in AWS`)
        : yes('BucketReady', `the fleet keeps its data in ${plan.storage.uri}`);
    case 'bucket':
      return yes('BucketProvided', `the fleet keeps its data in ${plan.storage.uri}`);
    case 'azurite':
      return yes(
        'Azurite',
        'the fleet keeps its data in an Azurite of its own: for development only',
      );
    case 'dev':
      return yes('LocalStore', 'celld dev keeps its data in the pod: for development only');
    case 'none':
      return bucketFromValues(plan.spec)
        ? yes('BucketFromValues', 'the values name the bucket')
        : no('NoStorage', 'set spec.bucket, or enable spec.aws, spec.azurite or spec.dev');
  }
}

function bucketObject({ observed, resources }: Outlook): JsonObject {
  return observed[KEYS.bucket] ?? resources[KEYS.bucket]?.object ?? {};
}

function identity(outlook: Outlook): Verdict {
  const { plan } = outlook;
  const found = firstLacking(
    outlook,
    [KEYS.podIdentity, 'PodIdentity'],
    [KEYS.credentials, 'Credentials'],
  );
  if (found !== undefined) return found;
  const { identity: how } = plan;
  switch (how.kind) {
    case 'pod-identity':
      return yes(
        'PodIdentityReady',
        `pods of ServiceAccount ${plan.names.serviceAccount} get the role`,
      );
    case 'secret-value':
    case 'secret-copy':
      return yes('StaticCredentials', `from Secret ${how.source.namespace}/${how.source.name}`);
    case 'existing-secret':
      return yes('StaticCredentials', `from Secret ${plan.namespace}/${how.name}`);
    case 'google-key':
      return yes('StaticCredentials', `from Secret ${plan.namespace}/${how.secretName}`);
    case 'platform':
      return yes('PlatformIdentity', 'nodes use what their platform gives them');
  }
}

function release(outlook: Outlook): Verdict {
  const { plan, observed, resources, waiting } = outlook;
  if (waiting.includes(KEYS.release)) {
    const gates = releaseGates(plan, observed);
    return no('WaitingToInstall', `Release ${plan.releaseName} waits until ${gates.join(' and ')}`);
  }
  const found = lacking(outlook, KEYS.namespace, 'Namespace');
  const object = observed[KEYS.release];
  if (found !== undefined && !isDeployed(object)) return found;
  if (resources[KEYS.release]?.ready)
    return yes('Deployed', `Release ${plan.releaseName} is deployed`);
  const title = object === undefined ? `Release ${plan.releaseName}` : titleOf(object);
  const failure = failureOf(object);
  if (failure !== undefined) return no('ReleaseFailed', `${title}: ${failure}`);
  if (object === undefined) return no('Installing', `${title} is being created`);
  const state = stringAt(object, 'status', 'atProvider', 'state');
  if (state === undefined) return no('Installing', `${title} is being installed`);
  if (state === 'deployed') return no('Upgrading', `${title} is being upgraded`);
  // After a failure provider-helm reports Synced again; only Helm's description keeps the cause.
  const cause = stringAt(object, 'status', 'atProvider', 'releaseDescription');
  const detail = cause === undefined ? '' : `: ${publicMessage(cause)}`;
  return no('ReleaseNotDeployed', `${title} is ${state}${detail}`);
}

function fleet(outlook: Outlook): Verdict {
  const { plan, observed, resources, waiting } = outlook;
  const { fleet: answer, expectation, names } = plan;
  const title = `StatefulSet ${plan.namespace}/${names.statefulSet}`;
  if (waiting.includes(KEYS.fleet) || waiting.includes(KEYS.release)) {
    return no('WaitingForRelease', `${title} is looked at once the release is deployed`);
  }
  if (resources[KEYS.fleet]?.ready)
    return yes(
      'AllNodesReady',
      `${expectation.replicas} of ${expectation.replicas} nodes are ready`,
    );
  const failure = failureOf(observed[KEYS.fleet]);
  if (failure !== undefined) return no('FleetNotObserved', `${title}: ${failure}`);
  if (!answer.current) return no('FleetNotObserved', `waiting for a look at ${title}`);
  if (!answer.arrived)
    return no('FleetOutdated', `waiting for ${title} to get what the release asks for`);
  if (answer.updatedReplicas !== expectation.replicas && isStopped(plan)) {
    return no(
      'WaitingForFullStop',
      `${answer.updatedReplicas ?? 0} of ${expectation.replicas} nodes run ${answer.version ?? 'the new image'}: delete the pods of ${title} together, since old and new nodes must not run side by side`,
    );
  }
  return no(
    'NodesNotReady',
    `${answer.readyReplicas ?? 0} of ${expectation.replicas} nodes of ${title} are ready`,
  );
}

function isStopped({ values }: Plan): boolean {
  return stringAt(values, 'updateStrategy', 'type') === 'OnDelete';
}

function protection(outlook: Outlook): Verdict {
  const { plan, resources, waiting } = outlook;
  const protections = PROTECTIONS.filter(
    ({ key }) => resources[key] !== undefined || waiting.includes(key),
  );
  const found = firstLacking(outlook, ...protections.map(({ key }) => [key, 'Usage'] as const));
  if (found !== undefined) return found;
  const missing = protections.filter(({ key }) => waiting.includes(key));
  if (missing.length > 0 || resources[KEYS.release] === undefined) {
    return no(
      'WaitingForRelease',
      `nothing is protected before Release ${plan.releaseName} exists`,
    );
  }
  return protections.length === 0
    ? yes('NothingToProtect', 'the stack makes nothing that has to outlive the release')
    : yes(
        'UsagesInPlace',
        `Release ${plan.releaseName} is uninstalled before what it uses is deleted`,
      );
}

function exclusive({ conflicts }: Plan): Verdict {
  if (conflicts.store !== undefined) return no('StoreShared', conflicts.store);
  if (conflicts.namespace !== undefined) return no('NamespaceShared', conflicts.namespace);
  return yes('NoOtherStack', 'no older stack uses the same namespace or store');
}
