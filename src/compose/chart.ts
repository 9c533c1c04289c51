// Which chart the Release installs.
import { type CelldStackSpec, SPEC_SCHEMA } from '../api/celld-stack.gen.ts';
import { type JsonObject, objectAt, stringAt } from '../core/json.ts';
import type { Artifacts } from './artifacts.ts';

export interface ChartPlan {
  /** True for the chart published with this package: only it knows the newer values. */
  readonly own: boolean;
  /** True when nobody asked for this chart and the release has it already. */
  readonly kept: boolean;
  /** `spec.forProvider.chart` of the Release. */
  readonly source: { readonly [field: string]: string };
  /**
   * True when provider-helm would fill in the version by itself. It must not: it would compare with
   * that version for ever, also after the URL was changed.
   */
  readonly versionFromUrl: boolean;
}

/**
 * Decides which chart is installed, from where, and whether it is pinned by digest. A release that was
 * made from another chart keeps it until the spec names one: the StatefulSet of one chart cannot become
 * that of another, since its selector never changes.
 */
export function planChart(
  spec: CelldStackSpec,
  { chart }: Artifacts,
  release: JsonObject | undefined,
): ChartPlan {
  if (spec.chartUrl !== undefined) {
    const lastPart = spec.chartUrl.slice(spec.chartUrl.lastIndexOf('/'));
    const needsVersion = spec.chartUrl.startsWith('oci://') && !/[:@]/u.test(lastPart);
    const version = needsVersion ? { version: spec.chartVersion } : {};
    return {
      own: false,
      kept: false,
      source: { name: chart.name, url: spec.chartUrl, ...version },
      versionFromUrl: !needsVersion,
    };
  }
  const kept = spec.chartRepository === undefined ? keptChart(spec, release, chart) : undefined;
  if (kept !== undefined) return { own: false, kept: true, source: kept, versionFromUrl: false };
  const repository = spec.chartRepository?.replace(/\/+$/u, '') ?? chart.repository;
  const own = repository === chart.repository;
  // A provider's cache knows charts by name and version alone; a digest cannot mean another chart.
  const pinned = own && chart.digest !== undefined && spec.chartVersion === chart.version;
  return {
    own,
    kept: false,
    source: {
      name: chart.name,
      repository,
      version: spec.chartVersion,
      ...(pinned ? { digest: chart.digest ?? '' } : {}),
    },
    versionFromUrl: false,
  };
}

/** The source of a release made from a chart that nobody names any more, as it is. */
function keptChart(
  spec: CelldStackSpec,
  release: JsonObject | undefined,
  own: Artifacts['chart'],
): ChartPlan['source'] | undefined {
  const at = (field: string) => stringAt(release, 'spec', 'forProvider', 'chart', field);
  const [repository, version] = [at('repository'), at('version')];
  // Only our chart is told what to expect; its place may move with the package.
  const values = objectAt(release, 'spec', 'forProvider', 'values');
  const ours = repository === own.repository || values['expectation'] !== undefined;
  if (ours || repository === undefined) return undefined;
  // A version that differs from the default was asked for.
  const asked = spec.chartVersion !== DEFAULT_CHART_VERSION || version === undefined;
  return { name: own.name, repository, version: asked ? spec.chartVersion : version };
}

const DEFAULT_CHART_VERSION = SPEC_SCHEMA.properties.chartVersion.default;

/**
 * The image of the bootstrap program. It stands in the pod template, so a new one replaces every pod: it
 * comes with another celld release or another chart, which do so anyway, and never with an upgrade of
 * this package alone.
 */
export function bootstrapImage(
  { image }: Artifacts,
  { source }: ChartPlan,
  tag: string,
  release: JsonObject | undefined,
): Artifacts['image'] {
  const install = objectAt(release, 'spec', 'forProvider');
  const [repository, imageTag, digest] = ['repository', 'tag', 'digest'].map((field) =>
    stringAt(install, 'values', 'bootstrap', 'image', field),
  );
  const rollsAnyway =
    stringAt(install, 'values', 'image', 'tag') !== tag ||
    stringAt(install, 'chart', 'version') !== source['version'];
  if (rollsAnyway || repository === undefined || imageTag === undefined) return image;
  return { repository, tag: imageTag, ...(digest === undefined ? {} : { digest }) };
}
