// Stores that the stack does not make: a bucket with a static Secret, and Azurite in the cluster.
import assert from 'node:assert/strict';
import { stringAt } from '../../src/core/json.ts';
import { assertTargetGone, fleetOf, variableOf } from './promises.ts';
import type { Scenario } from './stage.ts';

export const BUCKET: Scenario = {
  name: 'bucket',
  why: 'a bucket of one’s own with a static Secret: the fleet gets both and nothing in AWS is made',
  run: async (stage) => {
    await stage.apply('cells', {
      bucket: 's3://cells/prod',
      endpoint: 'https://objects.example.com',
      credentials: { existingSecret: 'r2-credentials' },
    });
    const ready = await stage.untilReady('cells');
    assert.equal(stringAt(ready, 'status', 'service', 'name'), 'cells-celld');
    const fleet = await fleetOf(stage);
    assert.equal(variableOf(fleet, 'CELLD_BUCKET'), 's3://cells/prod');
    assert.match(JSON.stringify(fleet), /"secretRef":\{"name":"r2-credentials"/u);
    assert.deepEqual(
      stage.played.aws.account.names().filter((name) => name.includes('cells')),
      [],
    );
    await stage.rest('cells');
    await stage.removeAndSeeNothingLeft('cells');
    await assertTargetGone(stage);
  },
};

export const AZURITE: Scenario = {
  name: 'azurite',
  why: 'the fleet and its store come up together in the cluster',
  run: async (stage) => {
    await stage.apply('local', { azurite: { enabled: true } });
    await stage.untilReady('local');
    assert.equal(variableOf(await fleetOf(stage), 'CELLD_BUCKET'), 'az://celld');
    const deployments = await stage.cluster.list('apps/v1', 'Deployment', stage.target);
    assert.equal(deployments.length, 1);
    await stage.rest('local');
    await stage.removeAndSeeNothingLeft('local');
    await assertTargetGone(stage);
  },
};
