// The whole function: an observation in, everything that shall be out. It reads, plans and writes down;
// it never throws for anything that a user or a cluster can cause.
import { readSpec } from '../api/read-spec.ts';
import { checkRules } from '../api/rules.ts';
import { objectAt } from '../core/json.ts';
import type { Problem } from '../core/problem.ts';
import { ARTIFACTS, type Artifacts } from './artifacts.ts';
import type { Composed, DesiredResource, Notice, Observation } from './composed.ts';
import { conditionsOf } from './conditions.ts';
import { conflictRequirements } from './conflicts.ts';
import { desiredResources } from './desired.ts';
import { planStack } from './plan.ts';
import { isReady } from './readiness.ts';
import { statusOf } from './status.ts';

/**
 * Composes a stack. A spec that is wrong, or a stack that must not be, gives a fatal notice and nothing
 * else, so that what is there stays as it is.
 */
export function compose(observation: Observation, artifacts: Artifacts = ARTIFACTS): Composed {
  const reading = readSpec(observation.xr);
  if (reading.problems !== undefined) return refusal(reading.problems.map(noticeOf));
  const broken = checkRules(reading.spec);
  if (broken.length > 0) return refusal(broken.map(noticeOf));
  const plan = planStack(reading.spec, observation, artifacts);
  const fatal = plan.notices.filter(({ severity }) => severity === 'fatal');
  if (fatal.length > 0) return refusal(fatal);

  const { resources: observed } = observation;
  const { objects, waiting, idle } = desiredResources(plan, observed);
  const resources = Object.fromEntries(
    [...objects].map(([key, object]): [string, DesiredResource] => [
      key,
      { object, ready: idle.includes(key) || isReady(key, object, observed[key], plan.fleet) },
    ]),
  );
  const outlook = { plan, observed, resources, waiting };
  return {
    resources,
    status: statusOf(outlook, objectAt(observation.xr, 'status')),
    conditions: conditionsOf(outlook),
    notices: plan.notices,
    requirements: conflictRequirements(plan.conflictLabels),
    complete: waiting.length === 0,
  };
}

function refusal(notices: readonly Notice[]): Composed {
  return { resources: {}, status: {}, conditions: [], notices, requirements: {}, complete: false };
}

function noticeOf({ path, message, hint }: Problem): Notice {
  const advice = hint === undefined ? '' : `: ${hint}`;
  return { severity: 'fatal', reason: 'InvalidSpec', message: `${path}: ${message}${advice}` };
}
