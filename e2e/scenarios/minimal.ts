// The smallest stack: from nothing to Ready, at rest, protected, and gone in the right order.
import assert from 'node:assert/strict';
import { numberAt, objectAt } from '../../src/core/json.ts';
import { assertGoneBefore, assertProtected, assertTargetGone, fleetOf } from './promises.ts';
import type { Scenario } from './stage.ts';

export const MINIMAL: Scenario = {
  name: 'minimal',
  why: 'one celld node without a bucket becomes Ready, rests, protects its namespace and goes in order',
  run: async (stage) => {
    await stage.apply('celld', {});
    const ready = await stage.untilReady('celld');
    assert.deepEqual(objectAt(ready, 'status', 'service'), {
      name: 'celld',
      namespace: stage.target,
      port: 8080,
      url: `http://celld.${stage.target}.svc:8080`,
    });
    assert.equal(numberAt(await fleetOf(stage), 'status', 'readyReplicas'), 1);
    await stage.rest('celld');
    await assertProtected(stage, stage.object('celld-namespace'));
    await stage.removeAndSeeNothingLeft('celld');
    assertGoneBefore(stage, 'celld', 'Release/celld', 'Object/celld-namespace');
    await assertTargetGone(stage);
  },
};
