// Every decision about a stack, taken once. What comes after only writes down what stands here.
import type { CelldStackSpec } from '../api/celld-stack.gen.ts';
import { type JsonObject, stringAt } from '../core/json.ts';
import { ARTIFACTS, type Artifacts } from './artifacts.ts';
import { type AwsPlan, planAws } from './aws.ts';
import { bootstrapImage, type ChartPlan, planChart } from './chart.ts';
import type { Notice, Observation } from './composed.ts';
import { type Conflicts, conflictLabels, findConflicts } from './conflicts.ts';
import {
  allPodsRun,
  type Expectation,
  expectationOf,
  type FleetAnswer,
  fleetAnswer,
} from './fleet.ts';
import { type Identity, identityOf } from './identity.ts';
import { KEYS } from './keys.ts';
import { type ChartNames, chartNames, fullnameOf } from './names.ts';
import { planReleaseLine, stepOf } from './release-line.ts';
import { type Storage, storageOf, storeRoot } from './storage.ts';
import { releaseValues } from './values.ts';
import { standingNotices } from './warnings.ts';

export interface ProviderConfigRef {
  readonly name: string;
  readonly kind: string;
}

export interface Plan {
  /** The XR's name and namespace. */
  readonly name: string;
  readonly xrNamespace: string;
  readonly labels: { readonly [key: string]: string };
  readonly tags: { readonly [key: string]: string };
  readonly policies: readonly string[];
  readonly providerConfigs: {
    readonly helm: ProviderConfigRef;
    readonly kubernetes: ProviderConfigRef;
    readonly aws: ProviderConfigRef;
  };
  /** The fleet's namespace, and whether it goes with the stack. */
  readonly namespace: string;
  readonly namespaceGoes: boolean;
  /** Whether the bucket goes with the stack. */
  readonly bucketGoes: boolean;
  readonly releaseName: string;
  readonly chart: ChartPlan;
  readonly values: JsonObject;
  /** Labels by which other stacks find the Release. */
  readonly conflictLabels: { readonly [key: string]: string };
  readonly names: ChartNames;
  readonly storage: Storage;
  readonly identity: Identity;
  readonly aws: AwsPlan;
  readonly expectation: Expectation;
  readonly fleet: FleetAnswer;
  /** The composed resources that are wanted for their own sake, gates aside. */
  readonly wanted: {
    readonly namespace: boolean;
    readonly bucket: boolean;
    readonly publicAccessBlock: boolean;
    readonly encryption: boolean;
    readonly podIdentity: boolean;
    readonly credentials: boolean;
  };
  readonly conflicts: Conflicts;
  readonly spec: CelldStackSpec;
  readonly notices: readonly Notice[];
}

/** Namespaces that belong to the cluster and are never removed with a stack. */
const CLUSTERS_OWN = /^(?:default|kube-.*)$/u;

/** Decides everything about a stack whose spec passed the rules. */
export function planStack(
  spec: CelldStackSpec,
  { xr, resources, required }: Observation,
  artifacts: Artifacts = ARTIFACTS,
): Plan {
  const name = stringAt(xr, 'metadata', 'name') ?? '';
  const xrNamespace = stringAt(xr, 'metadata', 'namespace') ?? '';
  const releaseName = spec.releaseName ?? name;
  const aws = planAws(name, xrNamespace, spec, resources);
  const storage = storageOf(spec, aws);
  const chart = planChart(spec, artifacts, resources[KEYS.release]);
  const identity = identityOf({
    spec,
    storage,
    xrNamespace,
    ownChart: chart.own,
    observed: resources,
  });
  const release = planReleaseLine(spec, storage, resources);
  const durability = spec.durability ?? safeDurability(spec);
  const step = stepOf(release, durability);
  const values = releaseValues({
    spec,
    releaseName,
    fullname: fullnameOf(releaseName),
    storage,
    identity,
    chart,
    image: bootstrapImage(artifacts, chart, release.tag, resources[KEYS.release]),
    tag: release.tag,
    line: release.line,
    durability,
    updateStrategy: updateStrategy(spec, step, release.tag, resources),
  });
  const expectation = expectationOf(values, chart.own);
  const fleet = fleetAnswer(resources[KEYS.fleet], expectation);
  const providerConfigs = providerConfigRefs(spec);
  const root = storeRoot(storage, spec);
  const labelsForOthers = conflictLabels({
    providerConfig: providerConfigs.helm,
    xrNamespace,
    namespace: spec.namespace,
    ...(root === undefined ? {} : { storeRoot: root }),
  });
  const conflicts = findConflicts(xr, releaseName, resources, required);
  const defaultLabels = { 'hops.ops.com.ai/managed': 'true', 'hops.ops.com.ai/celldstack': name };
  const exists = (key: string) => resources[key] !== undefined;
  return {
    name,
    xrNamespace,
    labels: { ...defaultLabels, ...spec.labels },
    tags: { ...defaultLabels, ...spec.tags },
    policies: spec.managementPolicies,
    providerConfigs,
    namespace: spec.namespace,
    namespaceGoes:
      spec.createNamespace &&
      spec.namespace !== xrNamespace &&
      !CLUSTERS_OWN.test(spec.namespace) &&
      conflicts.namespace === undefined,
    bucketGoes: spec.aws.deletionPolicy === 'Delete' && conflicts.store === undefined,
    releaseName,
    chart,
    values,
    conflictLabels: labelsForOthers,
    names: chartNames(values, releaseName),
    storage,
    identity,
    aws,
    expectation,
    fleet,
    // What exists stays wanted: an option that is turned off must not delete a namespace or a bucket.
    wanted: {
      namespace: spec.createNamespace || exists(KEYS.namespace),
      bucket: spec.aws.enabled || exists(KEYS.bucket),
      publicAccessBlock: spec.aws.enabled || exists(KEYS.publicAccessBlock),
      encryption: (spec.aws.enabled || exists(KEYS.bucket)) && aws.kmsKeyArn !== undefined,
      podIdentity: identity.kind === 'pod-identity' || exists(KEYS.podIdentity),
      credentials: identity.kind === 'secret-copy' || exists(KEYS.credentials),
    },
    conflicts,
    spec,
    notices: [
      ...release.notices,
      ...conflicts.notices,
      ...standingNotices({
        spec,
        storage,
        identity,
        chart,
        release,
        step,
        resources,
        expectation,
        fleet,
      }),
    ],
  };
}

/** Disks acknowledge writes only where several nodes have lasting ones. */
function safeDurability(spec: CelldStackSpec): 'fleet' | 'bucket' {
  const several = spec.replicaCount > 1 && !spec.dev.enabled;
  return several && spec.persistence.enabled ? 'fleet' : 'bucket';
}

/**
 * Where old and new nodes must not run together, a pod is only replaced when somebody deletes it, and
 * it stays so until every pod runs the new image.
 */
function updateStrategy(
  spec: CelldStackSpec,
  step: string,
  tag: string,
  resources: { readonly [key: string]: JsonObject },
): 'RollingUpdate' | 'OnDelete' {
  if (spec.upgrade.strategy === 'Rolling') return 'RollingUpdate';
  if (spec.upgrade.strategy === 'Recreate' || step === 'full-stop') return 'OnDelete';
  const before = stringAt(
    resources[KEYS.release],
    ...['spec', 'forProvider', 'values', 'updateStrategy', 'type'],
  );
  return before === 'OnDelete' && !allPodsRun(tag, resources[KEYS.fleet])
    ? 'OnDelete'
    : 'RollingUpdate';
}

function providerConfigRefs(spec: CelldStackSpec): Plan['providerConfigs'] {
  const refs = spec.providerConfigRefs;
  const ref = (...given: readonly ({ name?: string; kind?: string } | undefined)[]) => ({
    name: given.map((one) => one?.name).find((one) => one !== undefined) ?? spec.clusterName,
    kind: given.map((one) => one?.kind).find((one) => one !== undefined) ?? 'ProviderConfig',
  });
  return {
    helm: ref(refs?.helm, spec.helmProviderConfigRef),
    kubernetes: ref(refs?.kubernetes),
    aws: ref(refs?.aws),
  };
}
