// What a person should know though nothing is refused. Each says what to do.
import type { CelldStackSpec } from '../api/celld-stack.gen.ts';
import { type JsonObject, stringAt } from '../core/json.ts';
import type { ChartPlan } from './chart.ts';
import type { Notice } from './composed.ts';
import type { Expectation, FleetAnswer } from './fleet.ts';
import type { Identity } from './identity.ts';
import { KEYS } from './keys.ts';
import type { ReleaseLinePlan } from './release-line.ts';
import { bucketFromValues, type Storage } from './storage.ts';

export interface Standing {
  readonly spec: CelldStackSpec;
  readonly storage: Storage;
  readonly identity: Identity;
  readonly chart: ChartPlan;
  readonly release: ReleaseLinePlan;
  /** What the change of the image, if there is one, asks of the fleet. */
  readonly step: 'same' | 'roll' | 'full-stop' | 'unknown';
  readonly resources: { readonly [key: string]: JsonObject };
  readonly expectation: Expectation;
  readonly fleet: FleetAnswer;
}

/** The warnings that a stack as it stands deserves, in a fixed order. */
export function standingNotices(standing: Standing): readonly Notice[] {
  return [
    ...storageWarnings(standing),
    ...chartWarnings(standing),
    ...stepWarnings(standing),
    ...keptWarnings(standing),
    ...secretWarnings(standing),
  ];
}

function warning(reason: string, message: string): Notice {
  return { severity: 'warning', reason, message };
}

function storageWarnings({ spec, storage }: Standing): readonly Notice[] {
  if (storage.kind === 'none' && !bucketFromValues(spec)) {
    return [
      warning(
        'NoStorage',
        'the fleet has no bucket, so it serves nothing: set spec.bucket, or enable spec.aws, spec.azurite or spec.dev',
      ),
    ];
  }
  const azure = storage.kind === 'bucket' && storage.parts.scheme === 'az';
  const named =
    spec.azure?.accountName ??
    spec.credentials?.existingSecret ??
    spec.values ??
    spec.overrideAllValues;
  return azure && named === undefined
    ? [
        warning(
          'NoStorageAccount',
          'an az:// bucket needs the name of its storage account: set spec.azure.accountName',
        ),
      ]
    : [];
}

function chartWarnings({ spec, chart, identity }: Standing): readonly Notice[] {
  const { repository, version } = chart.source;
  const kept = chart.kept
    ? [
        warning(
          'ChartKept',
          `the release keeps chart celld ${version} of ${repository}, since a StatefulSet cannot move to another chart: set spec.chartRepository to it to say so, or move the data to a new stack`,
        ),
      ]
    : [];
  if (chart.own || spec.overrideAllValues !== undefined) return kept;
  const lost = [
    ...(identity.kind === 'google-key' ? ['spec.credentials.googleServiceAccount'] : []),
    ...(spec.telemetry?.endpoint === undefined ? [] : ['spec.telemetry.endpoint']),
  ];
  const left = lost.map((field) =>
    warning(
      'ForeignChart',
      `${field} is known to the chart of this package only: set it in spec.values as your chart has it`,
    ),
  );
  return [...kept, ...left];
}

function stepWarnings({ spec, step, release, expectation, fleet }: Standing): readonly Notice[] {
  const notices: Notice[] = [];
  const change = `celld ${release.previousTag} to ${release.tag}`;
  if (step === 'full-stop' && spec.upgrade.strategy === 'Auto') {
    notices.push(
      warning(
        'FullStopUpgrade',
        `${change} needs a full stop: no pod is replaced until all are deleted; stop the traffic, then delete the pods of StatefulSet in namespace ${spec.namespace} together`,
      ),
    );
  }
  if (step === 'full-stop' && spec.upgrade.strategy === 'Rolling') {
    notices.push(
      warning(
        'UnsafeUpgrade',
        `${change} needs a full stop, and spec.upgrade.strategy is Rolling: old and new nodes do not work together`,
      ),
    );
  }
  if (step === 'unknown') {
    notices.push(
      warning(
        'UnknownUpgrade',
        `nothing is known about the step from ${change}: the nodes are replaced one after another; set spec.upgrade.strategy to Recreate where they must not run together`,
      ),
    );
  }
  const { replicas } = fleet;
  if (replicas !== undefined && replicas - expectation.replicas > 1) {
    notices.push(
      warning(
        'ScaleIn',
        `${replicas} nodes become ${expectation.replicas} at once: where writes are acknowledged from disks, go down one node at a time`,
      ),
    );
  }
  return notices;
}

/** What an option that was turned off leaves in place. */
function keptWarnings({ spec, identity, resources }: Standing): readonly Notice[] {
  const nameOf = (key: string) => stringAt(resources[key], 'metadata', 'name') ?? key;
  const kept: Notice[] = [];
  if (!spec.aws.enabled && resources[KEYS.bucket] !== undefined) {
    kept.push(
      warning(
        'BucketKept',
        `Bucket ${nameOf(KEYS.bucket)} is kept with its data although spec.aws.enabled is false: it goes with this stack`,
      ),
    );
  }
  if (identity.kind !== 'pod-identity' && resources[KEYS.podIdentity] !== undefined) {
    kept.push(
      warning(
        'PodIdentityKept',
        `PodIdentity ${nameOf(KEYS.podIdentity)} is kept although nothing asks for it any more: it goes with this stack`,
      ),
    );
  }
  return kept;
}

function secretWarnings({ resources }: Standing): readonly Notice[] {
  const copy = resources[KEYS.credentials];
  const data = ['status', 'atProvider', 'manifest', 'data', 'credentials'];
  return stringAt(copy, ...data) === undefined
    ? []
    : [
        warning(
          'SecretInStatus',
          `Object ${stringAt(copy, 'metadata', 'name')} shows the copied credentials in its status: run provider-kubernetes with --sanitize-secrets`,
        ),
      ];
}
