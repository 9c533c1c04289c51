import assert from 'node:assert/strict';
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { projectFile } from '../../src/cli/project.ts';
import { ARTIFACTS } from '../../src/compose/artifacts.ts';
import { type Json, listAt, stringAt, valueAt } from '../../src/core/json.ts';
import { ProblemError } from '../../src/core/problem.ts';
import { type BuildOptions, type BuildReport, build } from '../../src/package/build.ts';
import { gunzip } from '../../src/package/oci/gzip.ts';
import { readTar, type TarEntry } from '../../src/package/oci/tar.ts';
import { readDockerArchive } from '../../src/package/oci/xpkg.ts';
import { type Published, publish } from '../../src/package/publish.ts';
import { connect, type RegistryClient } from '../../src/package/registry/client.ts';
import { type Bundle, bundleProgram } from '../../src/package/runtime/bundle.ts';
import { readPackage } from '../support/package-reader.ts';
import { type StrictRegistry, strictRegistry } from '../support/strict-registry.ts';
import { writeTinyBase } from '../support/tiny-base.ts';

const VERSION = (
  JSON.parse(readFileSync(projectFile('package.json'), 'utf8')) as { version: string }
).version;

let folder: string;
let strict: StrictRegistry;
let bundle: Bundle;
let report: BuildReport;
let client: RegistryClient;

function options(more: Partial<BuildOptions> = {}): BuildOptions {
  return {
    root: join(folder, 'tree'),
    output: join(folder, 'one'),
    version: VERSION,
    commit: 'c0ffee',
    registry: `${strict.host}/dev`,
    base: join(folder, 'base'),
    cacheFolder: join(folder, 'cache'),
    recordChart: false,
    bundle,
    ...more,
  };
}

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'celld-build-'));
  strict = await strictRegistry();
  client = await connect(strict.host, { patience: 1, credentials: async () => undefined });
  await writeTinyBase(join(folder, 'base'));
  copyTree(join(folder, 'tree'));
  bundle = await bundleProgram(projectFile());
  report = await build(options({ recordChart: true }));
});

after(async () => {
  await strict.close();
  rmSync(folder, { recursive: true });
});

describe('build()', () => {
  it('writes the packages, the chart, the layout and what tells about them', () => {
    assert.deepEqual(readdirSync(join(folder, 'one')).sort(), [
      'SHA256SUMS',
      'build-report.json',
      'celld-0.3.1.tgz',
      `celld-stack-${VERSION}.cdx.json`,
      `celld-stack-${VERSION}.xpkg`,
      `function-celld-stack-${VERSION}-linux-amd64.xpkg`,
      `function-celld-stack-${VERSION}-linux-arm64.xpkg`,
      'oci',
    ]);
  });

  it('writes the same bytes again, in another folder too', async () => {
    const fresh = await bundleProgram(projectFile());
    const again = await build(options({ output: join(folder, 'two'), bundle: fresh }));
    const sums = (name: string) => readFileSync(join(folder, name, 'SHA256SUMS'), 'utf8');
    assert.equal(sums('two'), sums('one'));
    assert.deepEqual(again.publications, report.publications);
  });

  it('stands on the base, then has the program, the stamp and the package, the newest last', () => {
    for (const architecture of ['amd64', 'arm64']) {
      const layers = layersOf(`function-celld-stack-${VERSION}-linux-${architecture}.xpkg`);
      assert.deepEqual(
        layers.map((entries) =>
          entries.map(({ path }) => path).filter((path) => !path.includes('-')),
        ),
        [
          ['usr/local/bin/node'],
          ['app', 'usr', 'usr/local', 'usr/local/bin', 'usr/share', 'usr/share/doc'],
          ['app', 'app/stamp.mjs'],
          ['package.yaml'],
        ],
      );
      const program = layers[1]?.find(({ path }) => path === 'app/celld-stack.mjs');
      const [first] = Buffer.from(program?.content ?? '')
        .toString('utf8')
        .split('\n');
      assert.deepEqual(
        { first, mode: program?.mode },
        { first: '#!/usr/local/bin/node', mode: 0o755 },
      );
    }
  });

  it('runs as its own user by absolute path, with our command on the path', () => {
    const archive = readDockerArchive(
      readFileSync(join(folder, 'one', `function-celld-stack-${VERSION}-linux-amd64.xpkg`)),
    );
    const config = JSON.parse(Buffer.from(archive?.config ?? '').toString()) as Json;
    const { Labels: _, ...container } = valueAt(config, 'config') as { Labels: Json };
    assert.deepEqual(container, {
      User: '2000:2000',
      Env: [
        'PATH=/usr/local/bin:/usr/bin',
        'A=b',
        'NODE_OPTIONS=--max-semi-space-size=4 --max-old-space-size=256',
      ],
      WorkingDir: '/',
      ExposedPorts: { '9443/tcp': {} },
      Entrypoint: ['/usr/local/bin/celld-stack', 'serve'],
    });
  });

  it('stamps where everything is, with the digests of the chart and of the image that bootstraps', () => {
    const digest = (what: string) => report.publications.find((one) => one.what === what)?.digest;
    const { artifacts, release } = stampOf();
    assert.deepEqual(artifacts, {
      chart: {
        repository: `oci://${strict.host}/dev/charts`,
        name: 'celld',
        version: ARTIFACTS.chart.version,
        digest: digest('chart'),
      },
      image: {
        repository: `${strict.host}/dev/function-celld-stack`,
        tag: `v${VERSION}`,
        digest: digest('runtime'),
      },
    });
    assert.deepEqual(release, { version: VERSION, commit: 'c0ffee' });
  });

  it('stamps no digest for a registry that was not named', async () => {
    await build(options({ registry: undefined, output: join(folder, 'home') }));
    assert.deepEqual(stampOf('home').artifacts, ARTIFACTS);
  });

  it('refuses a base without linux/amd64, and leaves the output as it was', async () => {
    await writeTinyBase(join(folder, 'arm'), ['arm64']);
    const before = readFileSync(join(folder, 'one', 'SHA256SUMS'), 'utf8');
    await assert.rejects(build(options({ base: join(folder, 'arm') })), problem('BASE_UNUSABLE'));
    assert.equal(readFileSync(join(folder, 'one', 'SHA256SUMS'), 'utf8'), before);
  });

  it('refuses a base that is not pinned', async () => {
    await assert.rejects(build(options({ base: 'ghcr.io/a/b:1' })), problem('BASE_UNUSABLE'));
  });

  it('refuses a version that its own sources do not have', async () => {
    await assert.rejects(build(options({ version: '9.9.9' })), problem('PACKAGE_VERSION'));
  });

  it('refuses a field that Crossplane would drop from an API', async () => {
    const file = join(folder, 'tree', 'apis', 'celldstacks', 'composition.yaml');
    const text = readFileSync(file, 'utf8');
    writeFileSync(
      file,
      text.replace('  mode: Pipeline\n', '  mode: Pipeline\n  modus: Pipeline\n'),
    );
    await assert.rejects(build(options()), (error) => {
      assert.ok(error instanceof ProblemError);
      assert.deepEqual(
        error.problems.map(({ code, path }) => ({ code, path })),
        [{ code: 'FIELD_UNKNOWN', path: 'spec.modus' }],
      );
      return true;
    });
    writeFileSync(file, text);
  });

  it('refuses a chart that changed under an unchanged version', async () => {
    const template = join(folder, 'tree', 'charts', 'celld', 'templates', 'service.yaml');
    const text = readFileSync(template);
    appendFileSync(template, '# changed\n');
    await assert.rejects(build(options()), problem('CHART_CHANGED'));
    writeFileSync(template, text);
    await build(options({ output: join(folder, 'same') }));
  });

  it('says that the output cannot be written, and leaves no half file', async () => {
    const blocked = join(folder, 'blocked');
    writeFileSync(blocked, 'a file');
    await assert.rejects(build(options({ output: blocked })), problem('FILE_UNWRITABLE'));
    assert.equal(readFileSync(blocked, 'utf8'), 'a file');
  });
});

describe('publish()', () => {
  const publishing = (more: object = {}) => ({
    root: projectFile(),
    output: join(folder, 'one'),
    registry: `${strict.host}/dev`,
    mountFrom: [],
    force: false,
    connect: async () => client,
    ...more,
  });

  it('pushes what Crossplane reads, and the chart as Helm reads it', async () => {
    const told: Published[] = [];
    await publish(publishing(), (one) => told.push(one));
    assert.deepEqual(
      told.map(({ what, digest }) => ({ what, digest })),
      report.publications.map(({ what, digest }) => ({ what, digest })),
    );
    const configuration = await readPackage(client, 'dev/celld-stack', `v${VERSION}`);
    const [metadata, ...apis] = configuration.documents;
    assert.deepEqual(apis.map((one) => stringAt(one, 'kind')).sort(), [
      'CompositeResourceDefinition',
      'Composition',
    ]);
    const dependency = listAt(metadata, 'spec', 'dependsOn')[0];
    assert.equal(stringAt(dependency, 'package'), `${strict.host}/dev/function-celld-stack`);
    const composition = apis.find((one) => stringAt(one, 'kind') === 'Composition');
    assert.equal(
      stringAt(composition, 'spec', 'pipeline', 0, 'functionRef', 'name'),
      'dev-function-celld-stack',
    );
    const functionPackage = await readPackage(client, 'dev/function-celld-stack', `v${VERSION}`);
    assert.deepEqual(
      functionPackage.documents.map((one) => stringAt(one, 'kind')),
      ['Function'],
    );
  });

  it('pushes nothing when everything is there', async () => {
    const told: Published[] = [];
    await publish(publishing(), (one) => told.push(one));
    assert.deepEqual(
      told.map(({ sent }) => sent),
      [0, 0, 0, 0],
    );
  });

  it('never replaces a version by another content unless it is forced to', async () => {
    await build(options({ output: join(folder, 'other'), commit: 'decaf' }));
    const other = publishing({ output: join(folder, 'other') });
    await assert.rejects(
      publish(other, () => undefined),
      problem('REGISTRY_CONFLICT'),
    );
    await publish({ ...other, force: true }, () => undefined);
    await publish(other, () => undefined);
  });

  it('refuses a build for another registry, for none, and one that is damaged', async () => {
    await assert.rejects(
      publish(publishing({ registry: 'ghcr.io/hops-ops' }), () => undefined),
      problem('REGISTRY_CONFLICT'),
    );
    await assert.rejects(
      publish(publishing({ output: join(folder, 'home') }), () => undefined),
      problem('REGISTRY_CONFLICT'),
    );
    await assert.rejects(
      publish(publishing({ output: join(folder, 'nowhere') }), () => undefined),
      problem('FILE_UNREADABLE'),
    );
  });
});

/** A source tree of its own, since a build may write down what the chart holds. */
function copyTree(tree: string): void {
  mkdirSync(tree);
  cpSync(projectFile('charts'), join(tree, 'charts'), { recursive: true });
  cpSync(projectFile('apis'), join(tree, 'apis'), { recursive: true });
  for (const part of ['CHANGELOG.md', 'examples', 'function', 'package', 'schemas']) {
    symlinkSync(projectFile(part), join(tree, part));
  }
}

function problem(code: string) {
  return (error: unknown) => {
    assert.ok(error instanceof ProblemError, String(error));
    assert.equal(error.problems[0]?.code, code);
    return true;
  };
}

function layersOf(file: string, output = 'one'): TarEntry[][] {
  const archive = readDockerArchive(readFileSync(join(folder, output, file)));
  return (archive?.layers ?? []).map((one) => readTar(gunzip(one)));
}

function stampOf(output = 'one'): { artifacts: Json; release: Json } {
  const layers = layersOf(`function-celld-stack-${VERSION}-linux-amd64.xpkg`, output);
  const stamp = layers.flat().find(({ path }) => path === 'app/stamp.mjs');
  const text = Buffer.from(stamp?.content ?? '').toString('utf8');
  const [, artifacts = '', release = ''] =
    /^export const ARTIFACTS = ([\s\S]*?);\nexport const release = \(\) => \((.*)\);\n$/u.exec(
      text,
    ) ?? [];
  return { artifacts: JSON.parse(artifacts) as Json, release: JSON.parse(release) as Json };
}
