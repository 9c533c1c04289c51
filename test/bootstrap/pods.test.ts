// A fleet as the chart renders it, run on this machine: real bootstrap, real Azurite, a stand-in for celld.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it, type TestContext } from 'node:test';
import { ContainerClient, StorageSharedKeyCredential } from '@azure/storage-blob';
import { NEWEST_VERSION, readTag } from '../../src/celld/releases.ts';
import { listAt, stringAt } from '../../src/core/json.ts';
import type { KubeObject } from '../../src/core/kube-object.ts';
import { PLACEHOLDER_KEYS } from '../support/fleet-store.ts';
import { freePorts } from '../support/free-ports.ts';
import { renderChart } from '../support/helm.ts';
import type { Pod } from '../support/kubelet.ts';
import { only, startAzuritePod, startNode } from '../support/rendered-fleet.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const ACCOUNT = 'devstoreaccount1';
const KEY =
  'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==';

/** The oldest release the chart can run (an internal listener and az://), and the newest. */
const RELEASES = ['v0.3.0', NEWEST_VERSION] as const;

const LONG_ENOUGH_MS = 60_000;

interface Fleet {
  readonly objects: readonly KubeObject[];
  readonly folder: string;
  readonly httpPort: number;
  readonly container: ContainerClient;
  readonly start: (ordinal: number, environment?: Record<string, string>) => Pod;
  readonly startAzurite: () => Pod;
}

async function fleetOf(test: TestContext, tag: string, placeholder = true): Promise<Fleet> {
  const [httpPort = 0, internalPort = 0, blobPort = 0] = await freePorts(3);
  const objects = await renderChart({
    values: {
      image: { tag },
      replicaCount: 2,
      server: { httpPort, internalPort },
      bootstrapPlaceholder: placeholder,
      azurite: {
        enabled: true,
        blobPort,
        bootstrapPlaceholder: placeholder,
        persistence: { enabled: false },
      },
      probes: { readiness: { periodSeconds: 1 } },
      shutdown: { boundSeconds: 1, preStopSeconds: 1 },
    },
  });
  const folder = temporaryFolder(test, {});
  const pods: Pod[] = [];
  test.after(() => Promise.all(pods.map((pod) => pod.terminate())));
  const keep = (pod: Pod) => {
    pods.push(pod);
    return pod;
  };
  return {
    objects,
    folder,
    httpPort,
    container: new ContainerClient(
      `http://127.0.0.1:${blobPort}/${ACCOUNT}/celld`,
      new StorageSharedKeyCredential(ACCOUNT, KEY),
      { keepAliveOptions: { enable: false } },
    ),
    start: (ordinal, environment) => keep(startNode(objects, ordinal, folder, environment)),
    startAzurite: () => keep(startAzuritePod(objects, folder)),
  };
}

async function keysOf(container: ContainerClient): Promise<readonly string[]> {
  const keys: string[] = [];
  for await (const { name } of container.listBlobsFlat()) keys.push(name);
  return keys.sort();
}

/** Writes an application as `celld deploy` does, over whatever is deployed. */
async function deploy(container: ContainerClient, text: string): Promise<void> {
  const module = `export default { fetch() { return new Response(${JSON.stringify(text)}); } };\n`;
  const version = createHash('sha256').update(module).digest('hex').slice(0, 16);
  const metadata = { bindings: [], compatibility_date: '2026-01-01', main_module: 'index.js' };
  const pointer = { script_name: 'shop', version, prefix: `deploy/shop/${version}` };
  const objects: readonly (readonly [string, string])[] = [
    [`${pointer.prefix}/index.js`, module],
    [
      `${pointer.prefix}/manifest.json`,
      JSON.stringify({
        schema_version: 1,
        version,
        script_name: 'shop',
        main_module: 'index.js',
        do_classes: [],
        sqlite_classes: [],
        modules: [
          {
            name: 'index.js',
            bytes: module.length,
            sha256: createHash('sha256').update(module).digest('hex'),
          },
        ],
        raw_metadata: metadata,
      }),
    ],
    ['deploy/current.json', JSON.stringify({ ...pointer, rollout: { percent: 100 } })],
  ];
  for (const [key, body] of objects) {
    await container.getBlockBlobClient(key).upload(body, body.length);
  }
}

async function ask(pod: Pod, port: number, path: string): Promise<readonly [number, string]> {
  const host = pod.ip.includes(':') ? `[${pod.ip}]` : pod.ip;
  const response = await fetch(`http://${host}:${port}${path}`, {
    headers: { connection: 'close' },
  });
  return [response.status, await response.text()];
}

const PLACEHOLDER_ANSWER = [503, 'no application deployed yet\n'] as const;

for (const tag of RELEASES) {
  const reading = readTag(tag);
  assert.ok(reading.kind === 'known');
  const { line } = reading;

  describe(`a fleet of celld ${tag} as charts/celld renders it`, { concurrency: true }, () => {
    it('comes up before its store does, serves the placeholder, drains within its grace, and keeps an application', async (t) => {
      const fleet = await fleetOf(t, tag);
      const [first, second] = [fleet.start(0), fleet.start(1, { STAND_IN_DRAIN: 'whole' })];
      fleet.startAzurite();
      await Promise.all([first.ready(LONG_ENOUGH_MS), second.ready(LONG_ENOUGH_MS)]);

      assert.deepEqual(
        (await keysOf(fleet.container)).filter((key) => !key.startsWith('probe/')),
        [
          ...PLACEHOLDER_KEYS,
          'fleet/peer-auth.json',
          `nodes/${first.name}.json`,
          `nodes/${second.name}.json`,
        ].sort(),
      );
      for (const pod of [first, second]) {
        assert.ok(pod.lines.some((printed) => / waiting: .*connection refused; /u.test(printed)));
        assert.deepEqual(await ask(pod, fleet.httpPort, line.healthPath), [200, '{"ok":true}']);
        assert.deepEqual(await ask(pod, fleet.httpPort, '/'), PLACEHOLDER_ANSWER);
        assert.deepEqual(pod.exits, ['bootstrap: 0']);
      }

      // A drain that takes all it may: out of rotation at once, gone before the grace is over.
      const ending = second.terminate();
      await until(async () => (await ask(second, fleet.httpPort, '/'))[1] === 'draining');
      assert.equal((await ask(second, fleet.httpPort, line.healthPath))[0], 503);
      const { code, ms, graceMs } = await ending;
      assert.equal(code, 0);
      assert.ok(ms >= 2_000, `took ${ms} ms, a second of pause and a second of drain`);
      assert.ok(ms < graceMs, `took ${ms} ms of ${graceMs}`);
      assert.equal(first.isReady(), true);

      await deploy(fleet.container, 'hello from the shop');
      const before = await fleet.container.getBlobClient('deploy/current.json').getProperties();
      const third = fleet.start(1);
      await third.ready(LONG_ENOUGH_MS);
      assert.deepEqual(await ask(third, fleet.httpPort, '/'), [200, 'hello from the shop']);
      const after = await fleet.container.getBlobClient('deploy/current.json').getProperties();
      assert.equal(after.etag, before.etag);
    });

    it(
      line.waitsForDeployment
        ? 'waits for a deployment where no placeholder is wanted'
        : 'ends without a deployment where no placeholder is wanted, and starts once there is one',
      async (t) => {
        const fleet = await fleetOf(t, tag, false);
        fleet.startAzurite();
        const pod = fleet.start(0);
        await until(async () => pod.exits[0] === 'bootstrap: 0');
        if (line.waitsForDeployment) {
          await new Promise((resolve) => setTimeout(resolve, 500));
          assert.deepEqual(pod.exits, ['bootstrap: 0']);
        } else {
          await until(async () => pod.exits.includes('celld: 1'));
          assert.ok(pod.lines.includes('celld: error: deploy/current.json: not found'));
        }
        assert.equal(pod.isReady(), false);
        assert.equal(await fleet.container.getBlobClient('deploy/current.json').exists(), false);
        await deploy(fleet.container, 'hello');
        await pod.ready(LONG_ENOUGH_MS);
        assert.deepEqual(await ask(pod, fleet.httpPort, '/'), [200, 'hello']);
      },
    );

    it('gets no variable that its release refuses, and the drain variable only when it is set', async () => {
      const objects = await renderChart({
        values: { image: { tag }, celld: { bucket: 's3://cells' } },
      });
      const [container] = listAt(
        only(objects, 'StatefulSet'),
        'spec',
        'template',
        'spec',
        'containers',
      );
      const names = listAt(container, 'env').map((entry) => stringAt(entry, 'name') ?? '');
      assert.deepEqual(
        names.filter((name) => name.startsWith('CELLD_')),
        ['CELLD_NODE', 'CELLD_WATCH', 'CELLD_DURABILITY', 'CELLD_BUCKET'],
      );
    });
  });
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + LONG_ENOUGH_MS;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error('it never came true');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
