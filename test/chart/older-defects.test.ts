// The defects of the older chart, by the letters under which they were found. Each must be impossible.
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import {
  NEWEST_VERSION,
  RELEASE_LINES,
  type ReleaseLine,
  readTag,
  upgradeStep,
} from '../../src/celld/releases.ts';
import { projectFile } from '../../src/cli/project.ts';
import {
  type JsonObject,
  listAt,
  objectAt,
  sameJson,
  stringAt,
  valueAt,
} from '../../src/core/json.ts';
import type { KubeObject } from '../../src/core/kube-object.ts';
import { CHART_MODES, CREDENTIALS_FILE } from '../support/chart-modes.ts';
import { helm, readObjects, renderChart, templateChart } from '../support/helm.ts';
import { podSecurityProblems } from '../support/pod-security.ts';
import {
  envOf,
  fleetContainer,
  one,
  podOf,
  pods,
  selectors,
  selects,
} from '../support/rendered.ts';

const bucket = { bucket: 's3://cells' };

/** What each mode renders. modes.test.ts holds these files to what Helm says. */
const rendered = new Map(
  Object.keys(CHART_MODES).map((name) => {
    const file = projectFile('test', 'chart', 'expected', `${name}.yaml`);
    return [name, readObjects(readFileSync(file, 'utf8'))];
  }),
);

/** Each release the chart runs, with its line and what the chart renders for it. */
const releases: {
  readonly line: ReleaseLine;
  readonly objects: readonly KubeObject[];
  readonly container: JsonObject;
}[] = [];

before(async () => {
  const lines = RELEASE_LINES.filter(({ internalListener }) => internalListener);
  const every = lines.flatMap((line) => line.versions.map((tag) => ({ line, tag })));
  await Promise.all(
    every.map(async ({ line, tag }) => {
      const objects = await renderChart({ values: { celld: bucket, image: { tag } } });
      releases.push({ line, objects, container: fleetContainer(objects) });
    }),
  );
});

function mode(name: string): readonly KubeObject[] {
  const objects = rendered.get(name);
  assert.ok(objects, `no mode ${name}`);
  return objects;
}

/** The objects of the fleet modes: everything but celld dev. */
function fleets(): readonly (readonly KubeObject[])[] {
  return [...rendered].filter(([name]) => !name.startsWith('dev-')).map(([, objects]) => objects);
}

describe('the older chart', () => {
  it('A1: no pod start deploys an application; the placeholder is written by bootstrap, which only creates', () => {
    for (const objects of rendered.values()) {
      for (const { containers } of pods(objects)) {
        const words = containers.flatMap((container) => [
          ...listAt(container, 'command'),
          ...listAt(container, 'args'),
        ]);
        assert.equal(words.includes('deploy'), false);
      }
    }
    const init = fleetContainer(mode('s3-keys'), 'bootstrap');
    assert.deepEqual([init['command'], init['args']], [['celld-stack', 'bootstrap'], undefined]);
    assert.equal(envOf(init)['CELLD_STACK_PLACEHOLDER'], '1');
  });

  it('A2: the readiness probe asks the path of the release', () => {
    assert.equal(releases.length, 10);
    for (const { line, container } of releases) {
      assert.equal(valueAt(container, 'readinessProbe', 'httpGet', 'path'), line.healthPath);
    }
  });

  it('A3: a node keeps its identity and address, and acknowledges from disks only where disks last', () => {
    const container = fleetContainer(mode('s3-keys'));
    assert.deepEqual(envOf(container)['POD_NAME'], { fieldRef: { fieldPath: 'metadata.name' } });
    assert.equal(envOf(container)['CELLD_NODE'], '$(POD_NAME)');
    const args = listAt(container, 'args');
    assert.equal(
      args[args.indexOf('--advertise') + 1],
      '$(POD_NAME).celld-internal.celld.svc:8081',
    );
    assert.equal(envOf(container)['CELLD_DURABILITY'], 'fleet');
    assert.equal(envOf(fleetContainer(mode('s3-machine-identity')))['CELLD_DURABILITY'], 'bucket');
  });

  it('A4: all nodes start at once and find each other before they are ready', () => {
    for (const objects of rendered.values()) {
      const set = one(objects, 'StatefulSet');
      assert.equal(valueAt(set, 'spec', 'podManagementPolicy'), 'Parallel');
      const service = one(objects, 'Service', 'celld', '-internal');
      assert.equal(valueAt(service, 'spec', 'publishNotReadyAddresses'), true);
      assert.equal(valueAt(set, 'spec', 'serviceName'), service.metadata['name']);
    }
  });

  it('A5: the grace is longer than the bound of the release and the pause before it', () => {
    for (const { line, objects, container } of releases) {
      const grace = podOf(one(objects, 'StatefulSet')).spec['terminationGracePeriodSeconds'];
      assert.equal(grace, line.leastGraceSeconds);
      assert.equal(Number(grace) >= (line.drain?.defaultMs ?? 0) / 1000 + 5 + 5, true);
      const drains = Object.keys(envOf(container)).filter((name) => /SHUTDOWN|DRAIN/u.test(name));
      assert.deepEqual(drains, []);
    }
  });

  it('A6: no probe over HTTP but readiness, and none at startup', () => {
    for (const objects of rendered.values()) {
      for (const container of pods(objects).flatMap(({ containers }) => containers)) {
        assert.equal(container['startupProbe'], undefined);
        assert.equal(valueAt(container, 'livenessProbe', 'httpGet'), undefined);
      }
    }
  });

  it('A7: no container installs anything: three images, and a shell only to read a credentials file', () => {
    const images = new Set<string>();
    for (const [name, objects] of rendered) {
      for (const container of pods(objects).flatMap(({ containers }) => containers)) {
        images.add((stringAt(container, 'image') ?? '').replace(/[:@].*$/u, ''));
        const shell = listAt(container, 'command').includes('/bin/sh');
        assert.equal(shell, name === 's3-credentials-secret' && container['name'] === 'celld');
        assert.doesNotMatch(JSON.stringify(container), /apt-get|curl|esbuild|wget/u);
      }
    }
    assert.deepEqual([...images].sort(), [
      'ghcr.io/denoland/celld',
      'ghcr.io/hops-ops/function-celld-stack',
      'mcr.microsoft.com/azure-storage/azurite',
    ]);
  });

  it('A8: bootstrap gets the store, the credentials and the extra variables of the node', () => {
    for (const objects of fleets()) {
      const names = podOf(one(objects, 'StatefulSet')).containers.map(({ name }) => name);
      if (!names.includes('bootstrap')) continue;
      const [init, node] = [fleetContainer(objects, 'bootstrap'), fleetContainer(objects)];
      const [here, there] = [envOf(init), envOf(node)];
      for (const [name, value] of Object.entries(here)) {
        if (['CELLD_STACK_PLACEHOLDER', 'AWS_SHARED_CREDENTIALS_FILE'].includes(name)) continue;
        assert.deepEqual(there[name], value);
      }
      const store = /^(CELLD_BUCKET|S3_ENDPOINT|RUST_LOG|A(WS|ZURE)_|AZURITE_|GOOGLE_)/u;
      assert.deepEqual(
        Object.keys(there).filter((name) => store.test(name) && here[name] === undefined),
        [],
      );
      assert.deepEqual(init['envFrom'], node['envFrom']);
    }
  });

  it('A9: an install without a bucket is refused unless it is asked for', async () => {
    const { status } = await templateChart({ values: { replicaCount: 1 } });
    assert.equal(status, 1);
  });

  it('A10: a bucket without a deployment gets a placeholder before the first node starts', () => {
    for (const { objects } of releases) {
      const init = fleetContainer(objects, 'bootstrap');
      assert.equal(envOf(init)['CELLD_STACK_PLACEHOLDER'], '1');
    }
  });

  it('A11: nodes listen on IPv6 and IPv4, advertise a DNS name, and every Service is dual-stack', () => {
    const args = listAt(fleetContainer(mode('s3-keys')), 'args');
    assert.deepEqual(args.slice(0, 4), ['--listen', '[::]:8080', '--internal-listen', '[::]:8081']);
    for (const objects of rendered.values()) {
      for (const service of objects.filter(({ kind }) => kind === 'Service')) {
        assert.equal(valueAt(service, 'spec', 'ipFamilyPolicy'), 'PreferDualStack');
      }
    }
  });

  it('A12: Azurite is reached by its own address, with no sidecar that stops first', () => {
    const objects = mode('azurite');
    const { spec } = podOf(one(objects, 'StatefulSet'));
    assert.equal(listAt(spec, 'containers').length, 1);
    const env = envOf(fleetContainer(objects));
    assert.equal(env['AZURE_STORAGE_USE_EMULATOR'], 'true');
    assert.equal(env['AZURITE_BLOB_STORAGE_URL'], 'http://celld-azurite.celld.svc:10000');
    const service = one(objects, 'Service', 'azurite');
    assert.equal(service.metadata['name'], 'celld-azurite');
    assert.equal(valueAt(service, 'spec', 'ports', 0, 'port'), 10000);
  });

  it('A13: every selector of the fleet selects its pods and not Azurite, whatever labels Azurite loses', () => {
    for (const objects of [mode('azurite'), mode('azurite-in-memory')]) {
      const fleet = podOf(one(objects, 'StatefulSet')).labels;
      const azurite = podOf(one(objects, 'Deployment', 'azurite')).labels;
      for (const { owner, labels } of selectors(objects)) {
        const component = valueAt(owner, 'metadata', 'labels', 'app.kubernetes.io/component');
        assert.deepEqual(
          [selects(labels, fleet), selects(labels, azurite), selects(labels, {})],
          [component === 'celld', component === 'azurite', false],
        );
        for (const lost of Object.keys(azurite)) {
          const { [lost]: _, ...rest } = azurite;
          assert.equal(component === 'celld' && selects(labels, rest), false);
        }
      }
    }
  });

  it('A14: Azurite is recreated rather than rolled, runs restricted, and its claim is kept', () => {
    const objects = mode('azurite');
    const azurite = one(objects, 'Deployment', 'azurite');
    assert.deepEqual(valueAt(azurite, 'spec', 'strategy'), { type: 'Recreate' });
    assert.deepEqual(podSecurityProblems(podOf(azurite)), []);
    const claim = one(objects, 'PersistentVolumeClaim', 'azurite');
    assert.deepEqual(claim.metadata['annotations'], { 'helm.sh/resource-policy': 'keep' });
  });

  it('A15: another chart version changes nothing that is immutable and restarts no pod', async () => {
    const chart = mkdtempSync(join(tmpdir(), 'celld-chart-'));
    after(() => rmSync(chart, { recursive: true }));
    cpSync(projectFile('charts', 'celld'), chart, { recursive: true });
    const manifest = readFileSync(join(chart, 'Chart.yaml'), 'utf8');
    writeFileSync(join(chart, 'Chart.yaml'), manifest.replace('version: 0.3.1', 'version: 9.9.9'));
    const outcome = await helm(
      ['template', 'celld', chart, '--namespace', 'celld', '--values', '-'],
      CHART_MODES['azurite'] as JsonObject,
    );
    assert.deepEqual([outcome.status, outcome.stderr], [0, '']);
    const later = readObjects(outcome.stdout);
    const versions = later.map(({ metadata }) => objectAt(metadata, 'labels')['helm.sh/chart']);
    assert.deepEqual([...new Set(versions)], ['celld-9.9.9']);
    for (const kind of ['StatefulSet', 'Deployment']) {
      const component = kind === 'Deployment' ? 'azurite' : 'celld';
      assert.deepEqual(
        one(later, kind, component)['spec'],
        one(mode('azurite'), kind, component)['spec'],
      );
    }
  });

  it('A16: every name is legal for the longest release name, and a name that cannot be is refused', async () => {
    const release = `a${'-long'.repeat(10)}xy`;
    assert.equal(release.length, 53);
    for (const values of [
      CHART_MODES['azurite'],
      { ...CHART_MODES['azurite'], fullnameOverride: `f${'o'.repeat(200)}` },
    ]) {
      const objects = await renderChart({ release, values: values as JsonObject });
      for (const { kind, metadata } of objects) {
        const name = String(metadata['name']);
        assert.match(name, /^[a-z]([-a-z0-9]*[a-z0-9])?$/u);
        assert.equal(name.length <= (kind === 'StatefulSet' ? 52 : 63), true, `${kind} ${name}`);
      }
    }
    const digit = await templateChart({ release: '1celld', values: { celld: bucket } });
    assert.equal(digit.status, 1);
    assert.match(digit.stderr, /fullnameOverride: required: the name "1celld" cannot be/u);
  });

  it('A17: Pod Security "restricted" admits every pod, and everything about a pod can be said', () => {
    for (const [name, objects] of rendered) {
      const problems = pods(objects).flatMap(podSecurityProblems);
      assert.deepEqual(
        problems,
        name === 'dev-project' ? ['celld: a volume of kind hostPath'] : [],
      );
    }
    const { spec } = podOf(one(mode('everything'), 'StatefulSet'));
    assert.deepEqual(
      ['imagePullSecrets', 'nodeSelector', 'priorityClassName', 'tolerations'].filter(
        (field) => spec[field] === undefined,
      ),
      [],
    );
    assert.equal(
      listAt(podOf(one(mode('s3-keys'), 'StatefulSet')).spec, 'topologySpreadConstraints').length,
      2,
    );
    assert.equal(valueAt(one(mode('s3-keys'), 'PodDisruptionBudget'), 'spec', 'maxUnavailable'), 1);
    assert.ok(one(mode('s3-keys'), 'NetworkPolicy'));
  });

  it('A18: a change of a Secret of the chart itself restarts the pods that read it', async () => {
    const changed = await renderChart({
      values: {
        celld: bucket,
        credentials: { sharedCredentials: CREDENTIALS_FILE.replace('IQoJ', 'OTHER') },
      },
    });
    const [now, then] = [changed, mode('s3-credentials-text')].map(
      (objects) => podOf(one(objects, 'StatefulSet')).annotations,
    );
    assert.equal(sameJson(now, then), false);
    const rekeyed = await renderChart({
      values: { azurite: { enabled: true, accountKey: 'a2V5' }, replicaCount: 2 },
    });
    for (const [kind, component] of [
      ['StatefulSet', 'celld'],
      ['Deployment', 'azurite'],
    ] as const) {
      const [a, b] = [rekeyed, mode('azurite')].map(
        (objects) => podOf(one(objects, kind, component)).annotations,
      );
      assert.equal(sameJson(a, b), false, kind);
    }
  });

  it('A19: the default image is the newest of the catalog, and a step that cannot roll can be made by hand', () => {
    assert.equal(
      fleetContainer(mode('s3-keys'))['image'],
      `ghcr.io/denoland/celld:${NEWEST_VERSION}`,
    );
    assert.equal(upgradeStep('0.5.1', NEWEST_VERSION, 'fleet'), 'full-stop');
    assert.equal(valueAt(one(mode('full-stop'), 'StatefulSet'), 'spec', 'replicas'), 0);
    assert.deepEqual(valueAt(one(mode('everything'), 'StatefulSet'), 'spec', 'updateStrategy'), {
      type: 'OnDelete',
    });
  });

  it('A20: the default release works with EKS Pod Identity', () => {
    const reading = readTag(NEWEST_VERSION);
    assert.equal(reading.kind === 'known' && reading.line.podIdentity, true);
  });
});
