// What the chart repeats of the rest of the project is the same there.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { PLACEHOLDER } from '../../src/bootstrap/placeholder.ts';
import { NEWEST, NEWEST_VERSION, RELEASE_LINES } from '../../src/celld/releases.ts';
import { projectFile } from '../../src/cli/project.ts';
import { ARTIFACTS } from '../../src/compose/artifacts.ts';
import { isObject, type Json, type JsonObject, objectAt, valueAt } from '../../src/core/json.ts';
import { parseYaml } from '../../src/manifests/yaml.ts';
import { renderChart } from '../support/helm.ts';
import { envOf, fleetContainer, one, podOf } from '../support/rendered.ts';

const read = (...path: string[]) => readFileSync(projectFile('charts', 'celld', ...path), 'utf8');
const yaml = (name: string) => parseYaml(read(name), name).documents[0]?.value as JsonObject;

const manifest = yaml('Chart.yaml');
const values = yaml('values.yaml');
const schema = JSON.parse(read('values.schema.json')) as JsonObject;

/** Every path of the values, maps included, and what stands there. */
function paths(value: JsonObject, above: readonly string[] = []): readonly [string, Json][] {
  return Object.entries(value).flatMap(([key, child]): [string, Json][] => {
    const path = [...above, key];
    return [[path.join('.'), child], ...(isObject(child) ? paths(child, path) : [])];
  });
}

describe('charts/celld', () => {
  it('is the chart the stack installs, with the newest release and the image of the stack', () => {
    const { chart, image } = ARTIFACTS;
    assert.deepEqual([manifest['name'], manifest['version']], [chart.name, chart.version]);
    assert.equal(manifest['appVersion'], NEWEST_VERSION);
    const { repository, tag } = objectAt(values, 'bootstrap', 'image');
    assert.deepEqual([repository, tag], [image.repository, image.tag]);
  });

  it('runs its appVersion as the newest line of the catalog says', async () => {
    const objects = await renderChart({ values: { celld: { bucket: 's3://cells' } } });
    const { spec } = podOf(one(objects, 'StatefulSet'));
    const container = fleetContainer(objects);
    assert.deepEqual(
      [
        valueAt(container, 'readinessProbe', 'httpGet', 'path'),
        spec['terminationGracePeriodSeconds'],
        NEWEST.refusedVariables.filter((name) => Object.hasOwn(envOf(container), name)),
      ],
      [NEWEST.healthPath, NEWEST.leastGraceSeconds, []],
    );
  });

  it('carries the catalog as it is', () => {
    const rows = RELEASE_LINES.map(({ podIdentity: _, source: __, ...row }) => row);
    assert.deepEqual(JSON.parse(read('files', 'releases.gen.json')), { lines: rows });
  });

  it('knows at the root what values.yaml has, and what Helm adds', () => {
    const known = /define "celld.rootKeys" -\}\}\n(?<keys>.*)\n/u.exec(
      read('templates', '_problems.tpl'),
    );
    const wanted = [...Object.keys(values), 'global'].sort();
    assert.deepEqual(known?.groups?.['keys']?.split(' '), wanted);
    assert.deepEqual(Object.keys(objectAt(schema, 'properties')).sort(), wanted);
  });

  it('describes every value in the schema, except what Kubernetes defines', () => {
    const open = /^(podSecurityContext|securityContext|affinity|.*[rR]esources)\./u;
    const missing = paths(values)
      .map(([path]) => path)
      .filter((path) => !open.test(path))
      .filter((path) => {
        const steps = path.split('.').flatMap((key) => ['properties', key]);
        return valueAt(schema, ...steps) === undefined;
      });
    assert.deepEqual(missing, []);
  });

  it('explains every value in its README, with its default', () => {
    const rows = [...read('README.md').matchAll(/^\| `([^`]+)` \| `(.+)` \| (.+) \|$/gmu)];
    const documented = new Map(
      rows.map(([, path, value]) => [path, JSON.parse(value ?? '') as Json]),
    );
    const covered = (path: string) =>
      documented.has(path) || [...documented.keys()].some((row) => path.startsWith(`${row}.`));
    const leaves = paths(values).filter(
      ([, value]) => !isObject(value) || Object.keys(value).length === 0,
    );
    assert.deepEqual(
      leaves.map(([path]) => path).filter((path) => !covered(path)),
      [],
    );
    for (const [path, value] of documented) {
      assert.deepEqual(valueAt(values, ...(path ?? '').split('.')), value, path);
    }
  });

  it('reads no value that values.yaml does not have', () => {
    const known = new Set(paths(values).map(([path]) => path));
    const templates = readdirSync(projectFile('charts', 'celld', 'templates'));
    const used = templates.flatMap((name) =>
      [...read('templates', name).matchAll(/\.Values\.([A-Za-z.]+)/gu)].map(
        (match) => match[1] ?? '',
      ),
    );
    assert.equal(used.length > 100, true);
    assert.deepEqual(
      used.filter((path) => !known.has(path)),
      [],
    );
  });

  it('serves the placeholder of bootstrap in celld dev', () => {
    const module = PLACEHOLDER.find(({ key }) => key.endsWith('/index.js'));
    assert.equal(read('files', 'placeholder', 'index.js'), module?.body);
  });
});
