import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { projectFile } from '../../src/cli/project.ts';
import type { JsonObject } from '../../src/core/json.ts';
import { helm } from '../support/helm.ts';

/** What a person reads after the install. */
async function notes(values: JsonObject): Promise<string> {
  const args = ['install', 'celld', projectFile('charts', 'celld'), '--namespace', 'celld'];
  const { status, stdout, stderr } = await helm(
    [...args, '--dry-run=client', '--values', '-'],
    values,
  );
  assert.deepEqual([status, stderr], [0, '']);
  return stdout.slice(stdout.indexOf('NOTES:\n') + 'NOTES:\n'.length);
}

const REACH = `
Watch it start:
  kubectl --namespace celld rollout status statefulset/celld

Reach it:
  kubectl --namespace celld port-forward service/celld 8080:8080
`;

describe('NOTES.txt', { concurrency: true }, () => {
  for (const { why, values, text } of [
    {
      why: 'a fleet: how to watch it, reach it and deploy to it',
      values: { celld: { bucket: 's3://cells' }, replicaCount: 3 },
      text: `celld 0.6.2: 3 node(s), data in s3://cells, durability fleet.
${REACH}
Deploy an application:
  celld deploy PROJECT --bucket s3://cells
`,
    },
    {
      why: 'a release that has to be restarted and stops without a deployment',
      values: {
        celld: { bucket: 's3://cells' },
        image: { tag: 'v0.3.0' },
        bootstrapPlaceholder: false,
      },
      text: `celld v0.3.0: 1 node(s), data in s3://cells, durability bucket.
${REACH}
Deploy an application:
  celld deploy PROJECT --bucket s3://cells
  kubectl --namespace celld rollout restart statefulset/celld

Until then the nodes of this release stop with an error, since bootstrapPlaceholder is false.
`,
    },
    {
      why: 'Azurite and a release nobody knows',
      values: { azurite: { enabled: true }, image: { tag: '0.7.0' } },
      text: `celld 0.7.0: 1 node(s), data in az://celld, durability bucket.
${REACH}
Deploy an application:
  celld deploy PROJECT --bucket az://celld

Azurite is a store for development: celld qualifies it for no fleet.

celld 0.7.0 is no release this chart knows; it is run like 0.6.2.
`,
    },
    {
      why: 'celld dev',
      values: { dev: { enabled: true, hostPath: '/src/app' } },
      text: `celld dev 0.6.2 serves /src/app.
${REACH}`,
    },
    {
      why: 'a node without a bucket',
      values: { celld: { withoutBucket: true } },
      text: `celld 0.6.2: 1 node(s), no bucket and so no application.
${REACH}`,
    },
  ]) {
    it(`says for ${why}`, async () => {
      assert.equal(await notes(values), text);
    });
  }
});
