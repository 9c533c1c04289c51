// Which celld release the fleet runs, and what follows from it.
import type { CelldStackSpec } from '../api/celld-stack.gen.ts';
import {
  NEWEST,
  NEWEST_VERSION,
  RELEASE_LINES,
  type ReleaseLine,
  readTag,
  upgradeStep,
} from '../celld/releases.ts';
import { type JsonObject, numberAt, stringAt } from '../core/json.ts';
import type { Notice } from './composed.ts';
import { KEYS } from './keys.ts';
import type { Storage } from './storage.ts';

export interface ReleaseLinePlan {
  /** The image tag that is wanted. */
  readonly tag: string;
  /** The tag that Helm was last told to install. */
  readonly previousTag?: string;
  readonly line: ReleaseLine;
  readonly notices: readonly Notice[];
}

/**
 * Decides the image tag: the one of the values, of the spec, of the Release as it is, or for a new
 * stack the newest one known. So an upgrade of this package never moves a fleet to another release.
 */
export function planReleaseLine(
  spec: CelldStackSpec,
  storage: Storage,
  observed: { readonly [key: string]: JsonObject },
): ReleaseLinePlan {
  const previousTag = imageTagOf(observed[KEYS.release]);
  const userValues = spec.overrideAllValues ?? spec.values;
  const tag =
    stringAt(userValues, 'image', 'tag') ?? spec.image.tag ?? previousTag ?? NEWEST_VERSION;
  const reading = readTag(tag);
  const line = reading.kind === 'unreadable' ? NEWEST : reading.line;
  const notices: Notice[] = [];
  if (reading.kind === 'unknown') {
    notices.push({
      severity: 'warning',
      reason: 'UnknownCelldRelease',
      message: `celld ${tag} is not known here: it is run like celld ${line.versions.at(-1)}; set spec.values where it differs`,
    });
  }
  if (reading.kind === 'unreadable' && !valuesTellTheContract(userValues, spec)) {
    notices.push({
      severity: 'fatal',
      reason: 'UnreadableImageTag',
      message: `spec.image.tag: ${JSON.stringify(tag)} names no celld release: set it to one such as ${NEWEST_VERSION}, or set spec.values.probes.path and spec.values.terminationGracePeriodSeconds to what this image needs`,
    });
  }
  if (storage.kind === 'aws' && spec.aws.podIdentity.enabled && !line.podIdentity) {
    notices.push({
      severity: 'fatal',
      reason: 'PodIdentityUnsupported',
      message: `spec.image.tag: celld ${tag} cannot use EKS Pod Identity: the least release that can is ${leastWithPodIdentity()}; use it or a newer one, or set spec.aws.podIdentity.enabled to false`,
    });
  }
  return { tag, ...(previousTag === undefined ? {} : { previousTag }), line, notices };
}

/** The image tag in the values of a Release. */
export function imageTagOf(release: JsonObject | undefined): string | undefined {
  return stringAt(release, 'spec', 'forProvider', 'values', 'image', 'tag');
}

/** What a change of the image asks of a running fleet. */
export function stepOf({ previousTag, tag }: ReleaseLinePlan, durability: 'fleet' | 'bucket') {
  return previousTag === undefined ? 'same' : upgradeStep(previousTag, tag, durability);
}

/** An image without a readable release is fine when the values say what the release would have told. */
function valuesTellTheContract(values: JsonObject | undefined, spec: CelldStackSpec): boolean {
  return (
    spec.overrideAllValues !== undefined ||
    (stringAt(values, 'probes', 'path') !== undefined &&
      numberAt(values, 'terminationGracePeriodSeconds') !== undefined)
  );
}

function leastWithPodIdentity(): string {
  return RELEASE_LINES.find(({ podIdentity }) => podIdentity)?.versions[0] ?? NEWEST_VERSION;
}
