import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { projectFile } from '../../../src/cli/project.ts';
import { ProblemError } from '../../../src/core/problem.ts';
import { parseYaml } from '../../../src/manifests/yaml.ts';
import { checkChartRecord } from '../../../src/package/chart-record.ts';
import { packChart, readChart, stampChart } from '../../../src/package/content/chart.ts';
import { digestOf } from '../../../src/package/oci/blob.ts';
import { gunzip } from '../../../src/package/oci/gzip.ts';
import { readTar } from '../../../src/package/oci/tar.ts';
import { helm } from '../../support/helm.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const CHART = projectFile('charts', 'celld');
const IMAGE = 'ghcr.io/hops-ops/function-celld-stack';

const CHART_YAML = 'apiVersion: v2\nname: small\nversion: 1.2.3\n';

function refuses(code: string) {
  return (error: unknown) => error instanceof ProblemError && error.problems[0]?.code === code;
}

/** Names, modes and contents; Chart.yaml as a value, since Helm folds its lines. */
function contents(archive: Uint8Array): object[] {
  return readTar(gunzip(archive)).map(({ path, type, mode, content }) => {
    const text = Buffer.from(content).toString('utf8');
    const body = path.endsWith('/Chart.yaml') ? parseYaml(text, path).documents[0]?.value : text;
    return { path, type, mode, body };
  });
}

describe('packChart()', () => {
  it('packs what the real Helm packs, in its order', async (test) => {
    const folder = temporaryFolder(test, {});
    const packed = await helm(['package', CHART, '--destination', folder], {});
    assert.equal(packed.status, 0, packed.stderr);
    const chart = readChart(CHART);
    const { archive } = await packChart(chart);
    const theirs = readFileSync(join(folder, `celld-${chart.version}.tgz`));
    assert.deepEqual(contents(archive), contents(theirs));
  });

  it('makes a chart that the real Helm renders as it renders the folder', async (test) => {
    const folder = temporaryFolder(test, {});
    const file = join(folder, 'celld.tgz');
    writeFileSync(file, (await packChart(readChart(CHART))).archive);
    const values = { celld: { bucket: 's3://fleet-bucket' } };
    const render = (chart: string) => helm(['template', 'celld', chart, '--values', '-'], values);
    assert.deepEqual(await render(file), await render(CHART));
  });

  it('is the artifact that helm push makes, without the time', async () => {
    const chart = readChart(CHART);
    const { archive, artifact } = await packChart(chart);
    const manifest = JSON.parse(Buffer.from(artifact.manifest.bytes).toString()) as object;
    assert.deepEqual(manifest, {
      schemaVersion: 2,
      mediaType: 'application/vnd.oci.image.manifest.v1+json',
      config: {
        mediaType: 'application/vnd.cncf.helm.config.v1+json',
        digest: digestOf(JSON.stringify(chart.metadata)),
        size: Buffer.byteLength(JSON.stringify(chart.metadata)),
      },
      layers: [
        {
          mediaType: 'application/vnd.cncf.helm.chart.content.v1.tar+gzip',
          digest: digestOf(archive),
          size: archive.length,
        },
      ],
      annotations: {
        'org.opencontainers.image.description': chart.metadata['description'],
        'org.opencontainers.image.source': 'https://github.com/hops-ops/celld-stack',
        'org.opencontainers.image.url': 'https://github.com/hops-ops/celld-stack',
        'org.opencontainers.image.title': 'celld',
        'org.opencontainers.image.version': chart.version,
      },
    });
  });
});

describe('readChart()', () => {
  it('leaves out what .helmignore names', (test) => {
    const folder = temporaryFolder(test, {
      'Chart.yaml': CHART_YAML,
      'values.yaml': 'a: 1\n',
      '.helmignore': '# notes\n*.orig\n.DS_Store\n',
      'templates/a.yaml': '',
      'templates/.a.yaml.swp': '',
      'templates/a.yaml.orig': '',
      'files/.DS_Store': '',
      'README.md': '',
    });
    assert.deepEqual(
      [...readChart(folder).files.keys()],
      ['values.yaml', 'templates/a.yaml', '.helmignore', 'README.md'],
    );
  });

  const bad: { why: string; files: { [path: string]: string } }[] = [
    {
      why: 'another apiVersion',
      files: { 'Chart.yaml': 'apiVersion: v1\nname: a\nversion: 1.0.0\n' },
    },
    {
      why: 'a version that is none',
      files: { 'Chart.yaml': 'apiVersion: v2\nname: a\nversion: new\n' },
    },
    { why: 'charts in the chart', files: { 'charts/b/Chart.yaml': CHART_YAML } },
    { why: 'an ignore rule it does not know', files: { '.helmignore': '!keep.yaml\n' } },
    { why: 'values that are no map', files: { 'values.yaml': '- a\n' } },
  ];
  for (const { why, files } of bad) {
    it(`refuses ${why}`, (test) => {
      const folder = temporaryFolder(test, {
        'Chart.yaml': CHART_YAML,
        'values.yaml': 'a: 1\n',
        'templates/a.yaml': '',
        ...files,
      });
      assert.throws(() => readChart(folder), refuses('CHART_INVALID'));
    });
  }

  it('refuses a chart without templates', (test) => {
    const folder = temporaryFolder(test, { 'Chart.yaml': CHART_YAML, 'values.yaml': 'a: 1\n' });
    assert.throws(() => readChart(folder), refuses('CHART_INVALID'));
  });
});

describe('stampChart()', () => {
  it('changes the repository of the image and nothing else', () => {
    const chart = readChart(CHART);
    const stamped = stampChart(chart, IMAGE, '127.0.0.1:5000/dev/function-celld-stack');
    const text = (one: typeof chart) => Buffer.from(one.files.get('values.yaml') ?? '').toString();
    assert.equal(
      text(stamped),
      text(chart).replace(IMAGE, '127.0.0.1:5000/dev/function-celld-stack'),
    );
    assert.notEqual(text(stamped), text(chart));
    assert.deepEqual(parseYaml(text(stamped), 'values.yaml').documents[0]?.value, stamped.values);
    assert.equal(stampChart(chart, IMAGE, IMAGE), chart);
  });

  it('refuses a chart whose image is not the one we publish', () => {
    assert.throws(
      () => stampChart(readChart(CHART), 'ghcr.io/a/b', 'ghcr.io/c/d'),
      refuses('CHART_INVALID'),
    );
  });
});

describe('checkChartRecord()', () => {
  it('knows a version by its content', (test) => {
    const root = temporaryFolder(test, {
      'charts/digests.json': JSON.stringify({ small: { '1.2.3': 'sha256:a' } }),
    });
    const check = (version: string, digest: string) =>
      checkChartRecord(root, { name: 'small', version }, digest).map(({ code }) => code);
    assert.deepEqual(
      [check('1.2.3', 'sha256:a'), check('1.2.3', 'sha256:b'), check('1.2.4', 'sha256:b')],
      [[], ['CHART_CHANGED'], ['CHART_CHANGED']],
    );
  });

  it('does not depend on where the chart is', async (test) => {
    const copy = join(temporaryFolder(test, {}), 'elsewhere');
    mkdirSync(copy);
    cpSync(CHART, copy, { recursive: true });
    const [here, there] = await Promise.all([CHART, copy].map((one) => packChart(readChart(one))));
    assert.equal(here?.artifact.manifest.digest, there?.artifact.manifest.digest);
    rmSync(copy, { recursive: true });
  });
});
