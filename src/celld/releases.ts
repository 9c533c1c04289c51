// What follows from the catalog: the release behind an image tag, and whether a fleet survives a step.
// Upstream's rule is that a fleet may roll forward, with the exceptions listed here; it promises no way back.
import { NEWEST, RELEASE_LINES, type ReleaseLine, VERSIONS } from './release-lines.ts';

export { NEWEST, NEWEST_VERSION, RELEASE_LINES, type ReleaseLine } from './release-lines.ts';

/** What an image tag says about the release behind it. */
export type TagReading =
  | { readonly kind: 'known'; readonly version: string; readonly line: ReleaseLine }
  /** A version the catalog does not list; `line` is that of the last known one before it. */
  | { readonly kind: 'unknown'; readonly version: string; readonly line: ReleaseLine }
  /** No version: `latest`, a digest alone, a commit. It can be anything. */
  | { readonly kind: 'unreadable' };

/** Reads `0.6.2`, `v0.6.2`, or either with `@sha256:…` behind it. */
export function readTag(tag: string): TagReading {
  const [, version, ending] =
    /^v?((?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*))(-[\w.-]+)?(?:@sha256:[0-9a-f]{64})?$/u.exec(
      tag,
    ) ?? [];
  if (version === undefined) return { kind: 'unreadable' };
  const line = RELEASE_LINES.find(({ versions }) => versions.includes(version));
  if (line !== undefined && ending === undefined) return { kind: 'known', version, line };
  return {
    kind: 'unknown',
    version: `${version}${ending ?? ''}`,
    line: line ?? lineBefore(version),
  };
}

/** Compares two versions of three numbers: negative when the first is older. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((version) => version.split('.').map(Number));
  for (let i = 0; i < 3; i++) {
    const difference = (left?.[i] ?? 0) - (right?.[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

function lineBefore(version: string): ReleaseLine {
  const before = RELEASE_LINES.filter(({ versions }) =>
    versions.some((known) => compareVersions(known, version) <= 0),
  );
  return before.at(-1) ?? NEWEST;
}

/** How writes are proven before they are acknowledged: CELLD_DURABILITY. */
export type Durability = 'fleet' | 'bucket';

/** `full-stop`: every node has to be gone before the first new one starts. */
export type UpgradeStep = 'same' | 'roll' | 'full-stop' | 'unknown';

/** A release that a fleet does not simply roll into from the one before it. */
interface Boundary {
  readonly into: string;
  readonly step: { readonly [durability in Durability]: UpgradeStep };
  readonly source: string;
}

const ALWAYS = { fleet: 'full-stop', bucket: 'full-stop' } as const;
const UNSAID = { fleet: 'unknown', bucket: 'unknown' } as const;

const BOUNDARIES: readonly Boundary[] = [
  { into: '0.0.2', step: UNSAID, source: 'nothing published about upgrades before 0.2.0' },
  { into: '0.1.0', step: UNSAID, source: 'nothing published about upgrades before 0.2.0' },
  { into: '0.2.0', step: ALWAYS, source: 'docs/README.md@0.6.0: advertise, data format' },
  { into: '0.4.0', step: ALWAYS, source: 'docs/README.md@0.6.0: peer tunnel, KV row references' },
  { into: '0.5.0', step: ALWAYS, source: 'release notes 0.5.0: every lease must expire first' },
  {
    into: '0.6.0',
    step: { fleet: 'full-stop', bucket: 'roll' },
    source: 'docs/README.md@0.6.0: a 0.6.0 node does not start against 0.5.1 followers',
  },
];

/**
 * The step between two image tags for a fleet of that durability. `unknown` when a tag is not a known
 * release, when nothing was published about the step, and for every way back.
 */
export function upgradeStep(fromTag: string, toTag: string, durability: Durability): UpgradeStep {
  if (fromTag === toTag) return 'same';
  const [from, to] = [readTag(fromTag), readTag(toTag)];
  if (from.kind !== 'known' || to.kind !== 'known') return 'unknown';
  const direction = compareVersions(from.version, to.version);
  if (direction === 0) return 'same';
  if (direction > 0) return 'unknown';
  const passed = VERSIONS.slice(
    VERSIONS.indexOf(from.version) + 1,
    VERSIONS.indexOf(to.version) + 1,
  );
  const steps = BOUNDARIES.filter(({ into }) => passed.includes(into)).map(
    ({ step }) => step[durability],
  );
  if (steps.includes('unknown')) return 'unknown';
  return steps.includes('full-stop') ? 'full-stop' : 'roll';
}
