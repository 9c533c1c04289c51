// A fleet as the chart renders it, run on this machine: real bootstrap, real Azurite, a stand-in for celld.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ContainerClient, StorageSharedKeyCredential } from '@azure/storage-blob';
import { NEWEST_VERSION, readTag } from '../../src/celld/releases.ts';
import type { KubeObject } from '../../src/core/kube-object.ts';
import { PLACEHOLDER_KEYS } from '../support/fleet-store.ts';
import { freePorts } from '../support/free-ports.ts';
import { renderChart } from '../support/helm.ts';
import type { Pod } from '../support/kubelet.ts';
import { startAzuritePod, startNode } from '../support/rendered-fleet.ts';
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
}

/** One Azurite for all fleets, each with a container of its own; it is started by the first that wants it. */
const [blobPort = 0] = await freePorts(1);
let azurite: Pod | undefined;
const azuriteFolder = mkdtempSync(join(tmpdir(), 'celld-stack-azurite-'));
after(async () => {
  await azurite?.terminate();
  rmSync(azuriteFolder, { recursive: true, force: true });
});

async function fleetOf(test: TestContext, tag: string, placeholder: boolean): Promise<Fleet> {
  const [httpPort = 0, internalPort = 0] = await freePorts(2);
  const name = `cells-${httpPort}`;
  const objects = await renderChart({
    values: {
      image: { tag },
      replicaCount: 2,
      server: { httpPort, internalPort },
      bootstrapPlaceholder: placeholder,
      azurite: {
        enabled: true,
        blobPort,
        container: name,
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
  return {
    objects,
    folder,
    httpPort,
    container: new ContainerClient(
      `http://127.0.0.1:${blobPort}/${ACCOUNT}/${name}`,
      new StorageSharedKeyCredential(ACCOUNT, KEY),
      { keepAliveOptions: { enable: false } },
    ),
    start: (ordinal, environment) => {
      const pod = startNode(objects, ordinal, folder, environment);
      pods.push(pod);
      return pod;
    },
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

const lineOf = (tag: string) => {
  const reading = readTag(tag);
  assert.ok(reading.kind === 'known');
  return reading.line;
};

describe('a fleet as charts/celld renders it', () => {
  for (const tag of RELEASES) {
    const line = lineOf(tag);

    it(`of celld ${tag} waits for its store, serves the placeholder, drains within its grace, and keeps an application`, async (t) => {
      const fleet = await fleetOf(t, tag, true);
      const [first, second] = [fleet.start(0), fleet.start(1, { STAND_IN_DRAIN: 'whole' })];
      if (azurite === undefined) {
        const waits = / waiting: .*connection refused; /u;
        const waiting = (pod: Pod) => pod.lines.some((printed) => waits.test(printed));
        await until(async () => waiting(first) && waiting(second));
        azurite = startAzuritePod(fleet.objects, azuriteFolder);
      }
      await Promise.all([first.ready(LONG_ENOUGH_MS), second.ready(LONG_ENOUGH_MS)]);

      assert.deepEqual(
        await keysOf(fleet.container),
        [
          ...PLACEHOLDER_KEYS,
          'fleet/peer-auth.json',
          `nodes/${first.name}.json`,
          `nodes/${second.name}.json`,
        ].sort(),
      );
      for (const pod of [first, second]) {
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
      const pointer = fleet.container.getBlobClient('deploy/current.json');
      const { etag } = await pointer.getProperties();
      const third = fleet.start(1);
      await third.ready(LONG_ENOUGH_MS);
      assert.deepEqual(await ask(third, fleet.httpPort, '/'), [200, 'hello from the shop']);
      assert.equal((await pointer.getProperties()).etag, etag);
    });

    const ending = line.waitsForDeployment ? 'waits' : 'ends and is started again';
    it(`of celld ${tag} ${ending} until something is deployed, where no placeholder is wanted`, async (t) => {
      const fleet = await fleetOf(t, tag, false);
      const pod = fleet.start(0);
      await until(async () => pod.exits[0] === 'bootstrap: 0');
      if (line.waitsForDeployment) await sleep(1_000);
      else await until(async () => pod.exits.includes('celld: 1'));
      assert.deepEqual(
        pod.exits.filter((exit) => exit !== 'bootstrap: 0'),
        line.waitsForDeployment ? [] : ['celld: 1'],
      );
      assert.equal(pod.isReady(), false);
      assert.equal(await fleet.container.getBlobClient('deploy/current.json').exists(), false);
      await deploy(fleet.container, 'hello');
      await pod.ready(LONG_ENOUGH_MS);
      assert.deepEqual(await ask(pod, fleet.httpPort, '/'), [200, 'hello']);
    });
  }
});

async function until(holds: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + LONG_ENOUGH_MS;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error('it never came true');
    await sleep(20);
  }
}
