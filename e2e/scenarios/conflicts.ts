// Two stacks that want the same place.
import assert from 'node:assert/strict';
import { stringAt } from '../../src/core/json.ts';
import { conditionOf } from './counts.ts';
import { assertTargetGone, fleetOf } from './promises.ts';
import type { Scenario } from './stage.ts';

export const SECOND_STACK: Scenario = {
  name: 'second-stack',
  why: 'the younger of two stacks in one namespace is told so, and its end does not end the older one',
  run: async (stage) => {
    await stage.apply('celld', {});
    await stage.untilReady('celld');
    const fleet = stringAt(await fleetOf(stage), 'metadata', 'uid');
    await stage.apply('other', {});
    await stage.until('the younger stack is told of the conflict', async () => {
      return conditionOf(await stage.xr('other'), 'Exclusive')?.['reason'] === 'NamespaceShared';
    });
    await stage.removeAndSeeNothingLeft('other');
    const left = await stage.cluster.list('apps/v1', 'StatefulSet', stage.target);
    assert.ok(
      left.some((set) => stringAt(set, 'metadata', 'uid') === fleet),
      'the older fleet is gone',
    );
    const namespace = await stage.cluster.get({
      apiVersion: 'v1',
      kind: 'Namespace',
      name: stage.target,
    });
    assert.equal(stringAt(namespace, 'metadata', 'deletionTimestamp'), undefined);
    await stage.removeAndSeeNothingLeft('celld');
    await assertTargetGone(stage);
  },
};
