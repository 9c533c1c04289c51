// What else goes wrong on a control plane: processes that stop. Each of these runs alone.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { conditionOf } from './counts.ts';
import { fleetOf, identities, variableOf } from './promises.ts';
import type { Scenario, Stage } from './stage.ts';

/** A stack that runs, what disturbs it, and that all of it is there afterwards and answers to a change. */
function disturbance(
  name: string,
  why: string,
  disturb: (stage: Stage, change: () => Promise<void>) => Promise<void>,
): Scenario {
  return {
    name,
    why,
    alone: true,
    run: async (stage) => {
      const spec = { aws: { enabled: true, bucketName: `e2e-${name}` } };
      await stage.apply('celld', spec);
      await stage.untilReady('celld');
      const before = await identities(stage, 'celld');
      const value = 'yes';
      const extraEnv = [{ name: 'AFTERWARDS', value }];
      await disturb(stage, () => stage.apply('celld', { ...spec, values: { extraEnv } }));
      await stage.until(
        'the change has arrived',
        async () => {
          return variableOf(await fleetOf(stage), 'AFTERWARDS') === value;
        },
        90,
      );
      await stage.untilReady('celld', 90);
      const after = await identities(stage, 'celld');
      const unlikePods = (all: typeof before) =>
        Object.fromEntries(Object.entries(all).filter(([key]) => !key.startsWith('Pod/')));
      assert.deepEqual(unlikePods(after), unlikePods(before));
      await stage.removeAndSeeNothingLeft('celld');
    },
  };
}

export const FUNCTION_DOWN = disturbance(
  'function-down',
  'while the function is down nothing changes and the XR says why; afterwards the change arrives',
  async (stage, change) => {
    await stage.plane.function.process().kill();
    await change();
    await stage.until('the XR says that the function does not answer', async () => {
      return conditionOf(await stage.xr('celld'), 'Synced')?.['status'] === 'False';
    });
    await sleep(2000);
    await stage.plane.function.start();
  },
);

export const FUNCTION_KILLED = disturbance(
  'function-killed',
  'the function is killed while it works on a call',
  async (stage, change) => {
    const running = stage.plane.function.process();
    process.kill(running.pid, 'SIGSTOP'); // from here on calls come in and are not answered
    await change();
    await sleep(2000);
    await running.kill();
    await stage.plane.function.start();
  },
);

export const CORE_RESTARTED = disturbance(
  'core-restarted',
  'Crossplane crashes and comes back',
  async (stage, change) => {
    await stage.plane.core.restart();
    await change();
  },
);

export const API_SERVER_RESTARTED = disturbance(
  'api-server-restarted',
  'the API server crashes and comes back',
  async (stage, change) => {
    await stage.plane.kubernetes.restartApiServer();
    await change();
  },
);

export const PROVIDER_DOWN = disturbance(
  'provider-down',
  'both providers are away while a change comes',
  async (stage, change) => {
    await stage.plane.helm.process().kill();
    await stage.plane.providerKubernetes.process().kill();
    await change();
    await sleep(3000);
    stage.plane.helm.start();
    stage.plane.providerKubernetes.start();
  },
);
