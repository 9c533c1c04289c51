// The environment variables with which a release refuses to start, even when they are empty.

/** env_vars.rs of a fork of 0.5.1: variables of a Worker no longer come from the environment. */
export const REFUSED_BY_0_5_1: readonly string[] = ['CELLD_VARS_FILE', 'CELLD_VAR_*'];

/** docs/README.md@0.6.0, the removed settings, and what env_vars.rs of forks of it adds. */
export const REFUSED_BY_0_6: readonly string[] = [
  ...REFUSED_BY_0_5_1,
  'CELLD_AI_BINDING',
  'CELLD_AI_URL',
  'CELLD_CLOUD_RESTART_ON_DEPLOY',
  'CELLD_DRAIN_TOKEN_WAIT_MS',
  'CELLD_EVICTIONS',
  'CELLD_LOG_BUNDLE',
  'CELLD_LOG_CAPTURE_WORKERS',
  'CELLD_LOG_GROUP_COMMIT_MS',
  'CELLD_MAX_LOADED_WORKERS',
  'CELLD_OTEL_SINK',
  'CELLD_OUTPUT_GATE',
  'CELLD_PACED_HANDOFF',
  'CELLD_PRESENCE_SHADOW',
  'CELLD_QUEUE_PRODUCER_GROUP_MS',
  'CELLD_REBALANCE_BATCH_CELLS',
  'CELLD_SHUTDOWN_DRAIN_MS',
  'CELLD_STORAGE_PROBE',
  'CELLD_WORKER_LOADER',
];
