// What else goes wrong on a control plane: processes that stop. Each of these runs alone.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
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
      try {
        await disturb(stage, () => stage.apply('celld', { ...spec, values: { extraEnv } }));
      } finally {
        await restore(stage);
      }
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

/** Starts again what a disturbance that failed has left stopped, so that the next scenario finds it. */
async function restore({ plane }: Stage): Promise<void> {
  if (plane.function.process().ended() !== undefined) await plane.function.start();
  for (const provider of [plane.helm, plane.providerKubernetes]) {
    if (provider.process().ended() !== undefined) provider.start();
  }
}

export const FUNCTION_DOWN = disturbance(
  'function-down',
  'while the function is down nothing changes; once it is back the change arrives',
  async (stage, change) => {
    await stage.plane.function.process().kill();
    await change();
    const release = await stage.cluster.get(stage.release('celld'));
    // Core waits for the function rather than fail at once: the XR shows nothing for a while.
    await sleep(5000);
    const later = await stage.cluster.get(stage.release('celld'));
    assert.deepEqual(later['spec'], release['spec']);
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
