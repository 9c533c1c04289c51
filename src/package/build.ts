// From a source tree to everything a cluster installs: the packages, the image, the chart, and what tells
// about them. Nothing is written before everything was checked.
import { join } from 'node:path';
import { ARTIFACTS } from '../compose/artifacts.ts';
import { ProblemError } from '../core/problem.ts';
import { checkChartRecord, recordChart } from './chart-record.ts';
import { type PackedChart, packChart } from './content/chart.ts';
import { checkExamples } from './content/examples.ts';
import { descriptorOf } from './oci/blob.ts';
import { layoutFiles } from './oci/layout.ts';
import { packXpkg } from './oci/xpkg.ts';
import { type OutputFiles, writeOutput } from './output.ts';
import { assemble, type Publication } from './publications.ts';
import { type Bundle, bundleProgram } from './runtime/bundle.ts';
import { type Bases, resolveBases } from './runtime/resolve-base.ts';
import { sbom } from './sbom.ts';
import { HOME, readSources, type Sources } from './sources.ts';

export interface BuildOptions {
  /** The source tree. */
  readonly root: string;
  readonly output: string;
  readonly version: string;
  readonly commit: string;
  /** A registry and a folder, `ghcr.io/hops-ops`; without it digests are not stamped. */
  readonly registry: string | undefined;
  readonly base: string;
  readonly cacheFolder: string;
  /** Takes the chart's content for that of its version instead of comparing. */
  readonly recordChart: boolean;
  /** The program, when it was bundled already. */
  readonly bundle?: Bundle;
}

export interface BuildReport {
  readonly version: string;
  readonly commit: string;
  /** Empty when the build was for no registry. */
  readonly registry: string;
  readonly base: string;
  readonly seconds: number;
  readonly publications: readonly {
    readonly what: Publication['what'];
    readonly reference: string;
    readonly digest: string;
    /** Compressed bytes of each image in it. */
    readonly sizes: { readonly [platform: string]: number };
  }[];
  readonly files: readonly { readonly path: string; readonly bytes: number }[];
  readonly notes: readonly string[];
}

/** The folder of the OCI layout in the output. */
export const LAYOUT = 'oci';
export const REPORT = 'build-report.json';

/** Builds and writes everything. Throws a ProblemError and then leaves the output as it was. */
export async function build(options: BuildOptions): Promise<BuildReport> {
  const began = performance.now();
  const { root, version, registry, output } = options;
  const sources = readSources(root, version, registry ?? HOME);
  const [definition] = sources.configuration.apis.filter(
    ({ object }) => object.kind === 'CompositeResourceDefinition',
  );
  const problems =
    definition === undefined ? [] : checkExamples(sources.examples, definition.object);
  const chart = await packChart(sources.chart);
  holdChart(options, sources, await contentOf(sources, root, version, chart), problems);
  const [bases, bundle] = await Promise.all([
    resolveBases(options.base, options.cacheFolder),
    options.bundle ?? bundleProgram(root),
  ]);
  const publications = await assemble(options, sources, chart, bases, bundle);
  const files = outputFiles(options, sources, chart, publications, bases, bundle);
  const report: BuildReport = {
    version,
    commit: options.commit,
    registry: registry ?? '',
    base: options.base,
    seconds: Math.round((performance.now() - began) / 10) / 100,
    publications: publications.map(describe),
    files: [...files]
      .filter(([path]) => !path.startsWith(`${LAYOUT}/`))
      .map(([path, bytes]) => ({ path, bytes: bytes.length })),
    notes: [...new Set([...bases.values()].flatMap(({ notes }) => notes))],
  };
  writeOutput(output, files, new Map([[REPORT, json(report)]]));
  return report;
}

/** The digest of the chart as it stands in the source tree, whatever registry was stamped into it. */
async function contentOf(
  sources: Sources,
  root: string,
  version: string,
  chart: PackedChart,
): Promise<string> {
  if (sources.locations.function === ARTIFACTS.image.repository) return chart.contentDigest;
  return (await packChart(readSources(root, version, HOME).chart)).contentDigest;
}

function holdChart(
  options: BuildOptions,
  { chart }: Sources,
  contentDigest: string,
  problems: ReturnType<typeof checkExamples>,
): void {
  const changed = options.recordChart ? [] : checkChartRecord(options.root, chart, contentDigest);
  if (problems.length + changed.length > 0) throw new ProblemError([...problems, ...changed]);
  if (options.recordChart) recordChart(options.root, chart, contentDigest);
}

function outputFiles(
  { version }: BuildOptions,
  sources: Sources,
  chart: PackedChart,
  publications: readonly Publication[],
  bases: Bases,
  bundle: Bundle,
): OutputFiles {
  const content = (what: Publication['what']) =>
    publications.flatMap((one) =>
      one.what !== what ? [] : 'images' in one.content ? one.content.images : [one.content],
    );
  const layout = layoutFiles(
    publications.map(({ reference, content: named }) => ({ name: reference, content: named })),
  );
  const materials = sbom(
    {
      name: 'celld-stack',
      version,
      purl: `pkg:oci/function-celld-stack@v${version}?repository_url=${sources.locations.function}`,
    },
    [...bundle.components, ...[...bases.values()].flatMap(({ components }) => components)],
  );
  return new Map<string, Uint8Array>([
    ...content('configuration').map((one): [string, Uint8Array] => [
      `celld-stack-${version}.xpkg`,
      packXpkg(one),
    ]),
    ...content('function').map((one): [string, Uint8Array] => [
      `function-celld-stack-${version}-linux-${one.platform.architecture}.xpkg`,
      packXpkg(one),
    ]),
    [`${sources.chart.name}-${sources.chart.version}.tgz`, chart.archive],
    [`celld-stack-${version}.cdx.json`, json(materials)],
    ...[...layout].map(([path, bytes]): [string, Uint8Array] => [join(LAYOUT, path), bytes]),
  ]);
}

function describe({ what, reference, content }: Publication): BuildReport['publications'][number] {
  const images = 'images' in content ? content.images : [content];
  const sizes = images.map((one): [string, number] => {
    const { os, architecture } = one.platform;
    const bytes = [one.config, ...one.layers.map(({ blob }) => blob)].map(
      (part) => descriptorOf(part).size,
    );
    return [
      os === '' ? 'any' : `${os}/${architecture}`,
      bytes.reduce((sum, size) => sum + size, 0),
    ];
  });
  return { what, reference, digest: content.manifest.digest, sizes: Object.fromEntries(sizes) };
}

function json(value: object): Uint8Array {
  return Buffer.from(`${JSON.stringify(value, null, 2)}\n`);
}
