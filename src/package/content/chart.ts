// Our Helm chart, packed as Helm packs one: metadata, values and schema first, then the templates, then
// everything else. Unlike Helm's, the archive has no times in it, so that one chart has one digest.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import semver from 'semver';
import { compareStrings, isObject, type JsonObject, objectAt, stringAt } from '../../core/json.ts';
import { ProblemError, refuse } from '../../core/problem.ts';
import { readText } from '../../manifests/load.ts';
import { parseYaml, printYaml } from '../../manifests/yaml.ts';
import { blob, descriptorOf, digestOf, jsonBlob } from '../oci/blob.ts';
import { gzip } from '../oci/gzip.ts';
import { type Image, MANIFEST_TYPE } from '../oci/image.ts';
import { fileEntry, packTar } from '../oci/tar.ts';

export interface Chart {
  readonly name: string;
  readonly version: string;
  readonly metadata: JsonObject;
  readonly values: JsonObject;
  /** Every file by its path in the chart, in the order Helm packs them; Chart.yaml is not among them. */
  readonly files: ReadonlyMap<string, Uint8Array>;
}

const CONFIG_TYPE = 'application/vnd.cncf.helm.config.v1+json';
const CONTENT_TYPE = 'application/vnd.cncf.helm.chart.content.v1.tar+gzip';
const FIRST = ['values.yaml', 'values.schema.json'];

/** Reads a chart from its folder. Throws a CHART_INVALID problem for what Helm would not take. */
export function readChart(folder: string): Chart {
  const metadata = readObject(join(folder, 'Chart.yaml'));
  const [name, version] = [stringAt(metadata, 'name'), stringAt(metadata, 'version')];
  if (stringAt(metadata, 'apiVersion') !== 'v2') {
    refuse('CHART_INVALID', 'Required value: "v2"', {
      path: 'apiVersion',
      place: { file: `${folder}/Chart.yaml` },
    });
  }
  if (name === undefined || version === undefined || semver.valid(version) === null) {
    return refuse('CHART_INVALID', `${folder}/Chart.yaml needs a name and a semantic version`);
  }
  const ignored = ignoreRules(folder);
  const paths = walk(folder).filter((path) => path !== 'Chart.yaml' && !ignored(path));
  if (paths.some((path) => path.startsWith('charts/'))) {
    refuse('CHART_INVALID', `${folder} holds charts in it: expected a chart that stands alone`);
  }
  if (!paths.some((path) => path.startsWith('templates/'))) {
    refuse('CHART_INVALID', `${folder} has no templates`);
  }
  const files = inHelmsOrder(paths).map((path): [string, Uint8Array] => [
    path,
    readFileSync(join(folder, path)),
  ]);
  return {
    name,
    version,
    metadata,
    values: readObject(join(folder, 'values.yaml')),
    files: new Map(files),
  };
}

function readObject(file: string): JsonObject {
  const { documents, problems } = parseYaml(readText(file), file);
  if (problems.length > 0) throw new ProblemError(problems);
  const [first] = documents;
  return isObject(first?.value) ? first.value : refuse('CHART_INVALID', `${file} holds no object`);
}

function walk(folder: string, below = ''): string[] {
  return readdirSync(join(folder, below), { withFileTypes: true })
    .sort((a, b) => compareStrings(a.name, b.name))
    .flatMap((entry) => {
      const path = below === '' ? entry.name : `${below}/${entry.name}`;
      return entry.isDirectory() ? walk(folder, path) : [path];
    });
}

/** The rules of .helmignore that name files by a pattern, and Helm's own rule for hidden templates. */
function ignoreRules(folder: string): (path: string) => boolean {
  const text = readdirSync(folder).includes('.helmignore')
    ? readText(join(folder, '.helmignore'))
    : '';
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
  const unsupported = lines.find((line) => /[/!\\[{]/u.test(line));
  if (unsupported !== undefined) {
    refuse(
      'CHART_INVALID',
      `${folder}/.helmignore has the rule ${JSON.stringify(unsupported)}: only names with * and ? are supported`,
    );
  }
  const patterns = lines.map(
    (line) =>
      new RegExp(
        `^${line.replaceAll('.', '\\.').replaceAll('*', '.*').replaceAll('?', '.')}$`,
        'u',
      ),
  );
  return (path) => {
    const hidden = /^templates\/\../u.test(path);
    return hidden || path.split('/').some((part) => patterns.some((pattern) => pattern.test(part)));
  };
}

function inHelmsOrder(paths: readonly string[]): string[] {
  const first = FIRST.filter((path) => paths.includes(path));
  const templates = paths.filter((path) => path.startsWith('templates/'));
  const rest = paths.filter((path) => !first.includes(path) && !path.startsWith('templates/'));
  return [...first, ...templates, ...rest];
}

/** The chart with another repository of the image that its init container runs. */
export function stampChart(chart: Chart, from: string, to: string): Chart {
  const repository = stringAt(chart.values, 'bootstrap', 'image', 'repository');
  if (repository !== from) {
    return refuse(
      'CHART_INVALID',
      `Invalid value: ${JSON.stringify(repository ?? '')}: must be ${from}, where this package publishes its image`,
      {
        path: 'bootstrap.image.repository',
        place: { file: `charts/${chart.name}/values.yaml` },
      },
    );
  }
  if (from === to) return chart;
  const text = Buffer.from(chart.files.get('values.yaml') ?? '').toString('utf8');
  const stamped = text.replace(`repository: ${from}\n`, `repository: ${to}\n`);
  const image = { ...objectAt(chart.values, 'bootstrap', 'image'), repository: to };
  return {
    ...chart,
    values: { ...chart.values, bootstrap: { ...objectAt(chart.values, 'bootstrap'), image } },
    files: new Map([...chart.files, ['values.yaml', Buffer.from(stamped)]]),
  };
}

export interface PackedChart {
  /** The archive that `helm install` takes. */
  readonly archive: Uint8Array;
  /** The digest of what is in the archive, however it is compressed. */
  readonly contentDigest: string;
  /** The archive as what a registry holds. */
  readonly artifact: Image;
}

/** Packs a chart. */
export async function packChart(chart: Chart): Promise<PackedChart> {
  const entries = [...chart.files].map(([path, bytes]) =>
    fileEntry(`${chart.name}/${path}`, bytes),
  );
  const head = fileEntry(`${chart.name}/Chart.yaml`, printYaml(chart.metadata));
  const tar = packTar([head, ...entries]);
  const archive = await gzip(tar);
  return { archive, contentDigest: digestOf(tar), artifact: chartArtifact(chart, archive) };
}

/** What `helm push` makes of an archive, without the time of the push. */
function chartArtifact(chart: Chart, archive: Uint8Array): Image {
  const config = jsonBlob(CONFIG_TYPE, chart.metadata);
  const content = blob(CONTENT_TYPE, archive);
  const manifest = jsonBlob(MANIFEST_TYPE, {
    schemaVersion: 2,
    mediaType: MANIFEST_TYPE,
    config: descriptorOf(config),
    layers: [descriptorOf(content)],
    annotations: annotationsOf(chart),
  });
  return {
    manifest,
    config,
    layers: [{ blob: content, diffId: '' }],
    platform: { os: '', architecture: '' },
  };
}

function annotationsOf({ metadata, name, version }: Chart): { readonly [key: string]: string } {
  const sources = metadata['sources'];
  const optional = {
    'org.opencontainers.image.description': stringAt(metadata, 'description'),
    'org.opencontainers.image.source': stringAt(sources, 0),
    'org.opencontainers.image.url': stringAt(metadata, 'home'),
  };
  const given = Object.entries(optional).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return {
    ...Object.fromEntries(given),
    'org.opencontainers.image.title': name,
    'org.opencontainers.image.version': version,
  };
}
