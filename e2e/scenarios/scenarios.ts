// All scenarios, in the order in which they begin.
import { AWS, AWS_CREDENTIALS, BUCKET_NOT_EMPTY, BUCKET_TAKEN } from './aws.ts';
import { AZURITE, BUCKET } from './buckets.ts';
import { CHART_UPGRADE, ROLLING_UPGRADE, SCALE, VALUES } from './changes.ts';
import { SECOND_STACK } from './conflicts.ts';
import { DELETE_BY_HAND, DELETE_FOREGROUND, DELETE_NAMESPACE } from './deletions.ts';
import {
  API_SERVER_RESTARTED,
  CORE_RESTARTED,
  FUNCTION_DOWN,
  FUNCTION_KILLED,
  PROVIDER_DOWN,
} from './disturbances.ts';
import { LOST_OBSERVATIONS } from './lost-observations.ts';
import { MINIMAL } from './minimal.ts';
import type { Scenario } from './stage.ts';
import { TAKEOVER } from './takeover.ts';

export const SCENARIOS: readonly Scenario[] = [
  MINIMAL,
  AWS,
  BUCKET,
  AZURITE,
  AWS_CREDENTIALS,
  BUCKET_TAKEN,
  BUCKET_NOT_EMPTY,
  VALUES,
  SCALE,
  CHART_UPGRADE,
  ROLLING_UPGRADE,
  SECOND_STACK,
  DELETE_FOREGROUND,
  DELETE_NAMESPACE,
  DELETE_BY_HAND,
  TAKEOVER,
  LOST_OBSERVATIONS,
  FUNCTION_DOWN,
  FUNCTION_KILLED,
  CORE_RESTARTED,
  API_SERVER_RESTARTED,
  PROVIDER_DOWN,
];
