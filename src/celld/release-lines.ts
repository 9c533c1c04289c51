// The catalog of celld releases as data: what an installer has to know of each line, with its source.
// A line is a run of versions with one contract. Sources name files at a git tag of denoland/celld.
import { REFUSED_BY_0_5_1, REFUSED_BY_0_6 } from './refused-variables.ts';

/** How a line is told to send telemetry to an OTLP collector. */
export type TelemetrySelector = 'none' | 'sink' | 'url';

/** The schemes of a bucket URI. */
export type StoreScheme = 's3' | 'gs' | 'az';

export interface ReleaseLine {
  /** Every released version, oldest first. */
  readonly versions: readonly string[];
  /** The path of the public listener that answers 200 when the node serves and 503 when it drains. */
  readonly healthPath: string;
  /** The variable that bounds a stop, and the bound when it is not set; absent before 0.2.0. */
  readonly drain?: { readonly variable: string; readonly defaultMs: number };
  /** The least safe terminationGracePeriodSeconds with the default bound, a preStop pause included. */
  readonly leastGraceSeconds: number;
  /** True when a node can get its credentials from EKS Pod Identity. */
  readonly podIdentity: boolean;
  /** True when a node waits for `deploy/current.json`; false when it exits without one. */
  readonly waitsForDeployment: boolean;
  /** True when a running node adopts a new deployment; false when it has to be restarted. */
  readonly adoptsInPlace: boolean;
  /** True when peers and operators have a listener of their own; the chart needs one. */
  readonly internalListener: boolean;
  /** True when `celld dev` exists. */
  readonly devCommand: boolean;
  readonly stores: readonly StoreScheme[];
  readonly telemetry: TelemetrySelector;
  /** Variables with which a node does not start, even empty; a trailing `*` stands for any ending. */
  readonly refusedVariables: readonly string[];
  readonly source: string;
}

const OLD_HEALTH_PATH = '/__celld/health';
const HEALTH_PATH = '/.well-known/celld/health';
const TOTAL_BOUND = { variable: 'CELLD_SHUTDOWN_TOTAL_MS', defaultMs: 40_000 };

const LINE_0_1: ReleaseLine = {
  versions: ['0.0.1', '0.0.2', '0.1.0'],
  healthPath: OLD_HEALTH_PATH,
  leastGraceSeconds: 60,
  podIdentity: false,
  waitsForDeployment: false,
  adoptsInPlace: false,
  internalListener: false,
  devCommand: false,
  stores: ['s3'],
  telemetry: 'none',
  refusedVariables: [],
  source: 'main.rs@0.1.0; docs/README.md@0.6.0, upgrades: 0.2.0 brought the second listener',
};

const LINE_0_2: ReleaseLine = {
  ...LINE_0_1,
  versions: ['0.2.0', '0.2.1'],
  drain: { variable: 'CELLD_SHUTDOWN_DRAIN_MS', defaultMs: 25_000 },
  internalListener: true,
  stores: ['s3', 'gs'],
  telemetry: 'sink',
  source: 'main.rs@0.2.1; release notes 0.2.0 (two listeners, drain, gs://) and 0.2.1',
};

const LINE_0_3: ReleaseLine = {
  ...LINE_0_2,
  versions: ['0.3.0'],
  stores: ['s3', 'gs', 'az'],
  source: 'main.rs, env_vars.rs, cli.rs, bucket.rs@0.3.0; object_store 0.11.2 has no Pod Identity',
};

const LINE_0_4: ReleaseLine = {
  ...LINE_0_3,
  versions: ['0.4.0', '0.4.1'],
  healthPath: HEALTH_PATH,
  drain: TOTAL_BOUND,
  adoptsInPlace: true,
  devCommand: true,
  source: 'release notes 0.4.0 (health path, in-place deploys, celld dev) and 0.4.1',
};

const LINE_0_5_0: ReleaseLine = {
  ...LINE_0_4,
  versions: ['0.5.0'],
  telemetry: 'url',
  source: 'release notes 0.5.0 (CELLD_OTEL takes a URL); the rest as 0.4, the safe side',
};

const LINE_0_5_1: ReleaseLine = {
  ...LINE_0_5_0,
  versions: ['0.5.1'],
  podIdentity: true,
  waitsForDeployment: true,
  refusedVariables: REFUSED_BY_0_5_1,
  source: 'Cargo.lock of 0.5.1 (object_store 0.12.5); fleet.rs, env_vars.rs of a fork of 0.5.1',
};

const LINE_0_6: ReleaseLine = {
  ...LINE_0_5_1,
  versions: ['0.6.0', '0.6.1', '0.6.2'],
  refusedVariables: REFUSED_BY_0_6,
  source: 'main.rs and docs/README.md@0.6.0; release notes 0.6.1; 0.6.2 as mirrored',
};

/** Every line, oldest first. */
export const RELEASE_LINES: readonly ReleaseLine[] = [
  LINE_0_1,
  LINE_0_2,
  LINE_0_3,
  LINE_0_4,
  LINE_0_5_0,
  LINE_0_5_1,
  LINE_0_6,
];

/** The line of the newest release the catalog knows. */
export const NEWEST: ReleaseLine = LINE_0_6;

/** The newest release the catalog knows: what is installed when nobody asks for another. */
export const NEWEST_VERSION = '0.6.2';

/** Every known version, oldest first. */
export const VERSIONS: readonly string[] = RELEASE_LINES.flatMap((line) => line.versions);

/** True when a line does not start with the variable of that name in its environment. */
export function refusesVariable(line: ReleaseLine, name: string): boolean {
  return line.refusedVariables.some((refused) =>
    refused.endsWith('*') ? name.startsWith(refused.slice(0, -1)) : name === refused,
  );
}
