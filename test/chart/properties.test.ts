// Promises that hold for every rendering, whatever the values.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { refusesVariable } from '../../src/celld/release-lines.ts';
import { RELEASE_LINES, type ReleaseLine } from '../../src/celld/releases.ts';
import {
  isList,
  isObject,
  type Json,
  type JsonObject,
  listAt,
  stringAt,
  valueAt,
} from '../../src/core/json.ts';
import type { KubeObject } from '../../src/core/kube-object.ts';
import { mergeValues } from '../../src/core/merge.ts';
import { shortName } from '../../src/core/names.ts';
import { CHART_MODES } from '../support/chart-modes.ts';
import { renderChart } from '../support/helm.ts';
import { podSecurityProblems } from '../support/pod-security.ts';
import { one, podOf, pods, selectors, selects } from '../support/rendered.ts';

interface Sample {
  readonly release: string;
  readonly line: ReleaseLine;
  readonly mode: string;
  readonly values: JsonObject;
}

const MODES = Object.keys(CHART_MODES).filter(
  (mode) => !['oldest-release', 'newest-release', 'everything'].includes(mode),
);

/** Lines that can run every mode. */
const LINES = RELEASE_LINES.filter(({ devCommand }) => devCommand);

const label = (max: number) =>
  fc
    .stringMatching(/^[a-z]([-a-z0-9]{0,80}[a-z0-9])?$/u)
    .map((text) => text.slice(0, max).replace(/-+$/u, ''));
const text = fc.stringMatching(/^[ -~]{1,30}$/u);
const port = fc.integer({ min: 1024, max: 65_535 });
const labels = fc.dictionary(fc.stringMatching(/^[a-z]{1,8}\.io\/[a-z]{1,8}$/u), label(40), {
  maxKeys: 3,
});
const variable = fc.record({
  name: fc.oneof(
    fc.stringMatching(/^[A-Z][A-Z0-9_]{0,20}$/u),
    fc.constantFrom('RUST_LOG', 'CELLD_NODE', 'CELLD_WATCH', 'CELLD_IDLE_EVICT_S', 'AWS_REGION'),
  ),
  value: text,
});

/** Values anybody may add to a mode, under a random release name. */
const sample: fc.Arbitrary<Sample> = fc
  .record({
    release: label(53),
    mode: fc.constantFrom(...MODES),
    line: fc.constantFrom(...LINES),
    more: fc.record(
      {
        fullnameOverride: label(80),
        nameOverride: label(70),
        commonLabels: labels,
        podLabels: labels,
        podAnnotations: fc.dictionary(label(10), text, { maxKeys: 2 }),
        extraEnv: fc.uniqueArray(variable, { selector: ({ name }) => name, maxLength: 4 }),
        probes: fc.constantFrom({}, { liveness: { enabled: true } }),
        service: fc.record({ port: fc.integer({ min: 1, max: 65_535 }) }),
        server: fc.record({ httpPort: port.filter((n) => n !== 8081) }),
        shutdown: fc.record({
          boundSeconds: fc.integer({ min: 1, max: 3600 }),
          preStopSeconds: fc.integer({ min: 0, max: 60 }),
        }),
        telemetry: fc.constant({ endpoint: 'http://collector:4318' }),
      },
      { requiredKeys: [] },
    ),
  })
  .filter(({ line, more }) =>
    (more.extraEnv ?? []).every(
      ({ name }) =>
        !refusesVariable(line, name) &&
        !/^CELLD_(ADDR|INTERNAL_ADDR|ADVERTISE|BUCKET)$|^POD_NAME$|SHUTDOWN/u.test(name),
    ),
  )
  .map(({ release, mode, line, more }) => ({
    release,
    mode,
    line,
    values: mergeValues(CHART_MODES[mode] ?? {}, {
      ...(more as JsonObject),
      image: { tag: line.versions.at(-1) ?? '' },
    }),
  }));

/** Asserts a promise for samples rendered side by side. */
async function always(
  runs: number,
  promise: (objects: readonly KubeObject[], sample: Sample) => void,
): Promise<void> {
  await fc.assert(
    fc.asyncProperty(fc.array(sample, { minLength: 4, maxLength: 4 }), async (samples) => {
      await Promise.all(samples.map(async (one) => promise(await renderChart(one), one)));
    }),
    { numRuns: runs, endOnFailure: true, includeErrorInReport: true },
  );
}

/** The names the stack expects, by the rule it uses itself. */
function expectedNames({ release, values }: Sample) {
  const name = shortName(stringAt(values, 'nameOverride') ?? 'celld', 63);
  const byRelease = release.includes(name) ? release : `${release}-${name}`;
  const fullname = stringAt(values, 'fullnameOverride') ?? byRelease;
  return {
    set: shortName(fullname, 52),
    service: shortName(fullname, 63),
    internal: shortName(`${fullname}-internal`, 63),
    account: stringAt(values, 'serviceAccount', 'name') ?? shortName(fullname, 63),
  };
}

/** Every place where a value is null, or an environment entry says nothing or says it twice. */
function emptiness(value: Json, path: string): readonly string[] {
  if (value === null) return [`${path} is null`];
  if (isList(value)) return value.flatMap((child, index) => emptiness(child, `${path}[${index}]`));
  if (!isObject(value)) return [];
  const env = listAt(value, 'env');
  const names = env.map((entry) => stringAt(entry, 'name'));
  return [
    ...(new Set(names).size === names.length ? [] : [`${path}.env names one twice`]),
    ...env
      .filter((entry) => valueAt(entry, 'value') === '' || Object.keys(entry as object).length < 2)
      .map((entry) => `${path}.env: ${JSON.stringify(entry)}`),
    ...Object.entries(value).flatMap(([key, child]) => emptiness(child, `${path}.${key}`)),
  ];
}

describe('charts/celld, for random values', () => {
  it('keeps names, references, selectors, security and the contract of the release', async () => {
    await always(6, (objects, sample) => {
      const names = expectedNames(sample);
      const set = one(objects, 'StatefulSet');
      const pod = podOf(set);
      assert.deepEqual(
        {
          set: set.metadata['name'],
          service: publicServices(objects).join(),
          internal: valueAt(set, 'spec', 'serviceName'),
          account: pod.spec['serviceAccountName'],
        },
        names,
      );
      assert.deepEqual(missingReferences(objects), []);
      for (const { owner, labels: selector } of selectors(objects)) {
        const component = valueAt(owner, 'metadata', 'labels', 'app.kubernetes.io/component');
        const selected = pods(objects).filter(({ labels }) => selects(selector, labels));
        assert.deepEqual(
          selected.map(({ labels }) => labels['app.kubernetes.io/component']),
          [component],
        );
      }
      const security = pods(objects).flatMap(podSecurityProblems);
      assert.equal(security.length, sample.mode === 'dev-project' ? 1 : 0);
      assert.deepEqual(
        objects.flatMap((object) => emptiness(object, object.kind)),
        [],
      );
      assert.deepEqual(brokenContract(sample, pod.spec), []);
      for (const value of objects.flatMap(labelValues)) {
        assert.match(value, /^([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?$/u);
      }
    });
  });
});

/** Names of the fleet's Services that have an address of their own. */
function publicServices(objects: readonly KubeObject[]): readonly string[] {
  return objects
    .filter(({ kind }) => kind === 'Service')
    .filter((service) => valueAt(service, 'spec', 'clusterIP') !== 'None')
    .filter((service) => valueAt(service, 'spec', 'ports', 0, 'name') === 'http')
    .map(({ metadata }) => String(metadata['name']));
}

/** Objects of the chart's own that a pod names and that are not rendered. */
function missingReferences(objects: readonly KubeObject[]): readonly string[] {
  const have = new Set(objects.map(({ kind, metadata }) => `${kind}/${String(metadata['name'])}`));
  const own = (kind: string, name: string | undefined, suffix: RegExp) =>
    name !== undefined && suffix.test(name) ? [`${kind}/${name}`] : [];
  return pods(objects)
    .flatMap(({ spec, containers }) => [
      ...listAt(spec, 'volumes').flatMap((volume) => [
        ...own('ConfigMap', stringAt(volume, 'configMap', 'name'), /./u),
        ...own(
          'PersistentVolumeClaim',
          stringAt(volume, 'persistentVolumeClaim', 'claimName'),
          /./u,
        ),
      ]),
      ...containers.flatMap((container) =>
        listAt(container, 'env').flatMap((entry) =>
          own('Secret', stringAt(entry, 'valueFrom', 'secretKeyRef', 'name'), /./u),
        ),
      ),
      ...own('ServiceAccount', stringAt(spec, 'serviceAccountName'), /./u),
    ])
    .filter((reference) => !have.has(reference));
}

/** Where the pod of a node differs from what its release line wants. */
function brokenContract({ line, values, mode }: Sample, spec: JsonObject): readonly string[] {
  const node = listAt(spec, 'containers').find(
    (container) => stringAt(container, 'name') === 'celld',
  );
  const path = valueAt(node, 'readinessProbe', 'httpGet', 'path');
  const bound = valueAt(values, 'shutdown', 'boundSeconds') ?? 40;
  const pause = valueAt(values, 'shutdown', 'preStopSeconds') ?? 5;
  const variables = listAt(node, 'env').map((entry) => stringAt(entry, 'name') ?? '');
  const drains = variables.filter((name) => /SHUTDOWN/u.test(name));
  const wanted = valueAt(values, 'shutdown') !== undefined && !mode.startsWith('dev-');
  return [
    ...(path === line.healthPath ? [] : [`probe ${String(path)}`]),
    ...(spec['terminationGracePeriodSeconds'] === 20 + Number(bound) + Number(pause) - 5
      ? []
      : [`grace ${String(spec['terminationGracePeriodSeconds'])}`]),
    ...variables.filter((name) => refusesVariable(line, name)),
    ...(drains.join() === (wanted ? line.drain?.variable : '') ? [] : drains),
  ];
}

function labelValues(object: KubeObject): readonly string[] {
  return [
    ...Object.values((valueAt(object, 'metadata', 'labels') ?? {}) as JsonObject),
    ...Object.values(
      (valueAt(object, 'spec', 'template', 'metadata', 'labels') ?? {}) as JsonObject,
    ),
  ].map(String);
}
