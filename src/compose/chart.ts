// Which chart the Release installs.
import type { CelldStackSpec } from '../api/celld-stack.gen.ts';
import type { Artifacts } from './artifacts.ts';

export interface ChartPlan {
  /** True for the chart published with this package: only it knows the newer values. */
  readonly own: boolean;
  /** `spec.forProvider.chart` of the Release. */
  readonly source: { readonly [field: string]: string };
  /**
   * True when provider-helm would fill in the version by itself. It must not: it would compare with
   * that version for ever, also after the URL was changed.
   */
  readonly versionFromUrl: boolean;
}

/** Decides which chart is installed, from where, and whether it is pinned by digest. */
export function planChart(spec: CelldStackSpec, { chart }: Artifacts): ChartPlan {
  if (spec.chartUrl !== undefined) {
    const lastPart = spec.chartUrl.slice(spec.chartUrl.lastIndexOf('/'));
    const needsVersion = spec.chartUrl.startsWith('oci://') && !/[:@]/u.test(lastPart);
    const version = needsVersion ? { version: spec.chartVersion } : {};
    return {
      own: false,
      source: { name: chart.name, url: spec.chartUrl, ...version },
      versionFromUrl: !needsVersion,
    };
  }
  const repository = spec.chartRepository?.replace(/\/+$/u, '') ?? chart.repository;
  const own = repository === chart.repository;
  // A provider's cache knows charts by name and version alone; a digest cannot mean another chart.
  const pinned = own && chart.digest !== undefined && spec.chartVersion === chart.version;
  return {
    own,
    source: {
      name: chart.name,
      repository,
      version: spec.chartVersion,
      ...(pinned ? { digest: chart.digest ?? '' } : {}),
    },
    versionFromUrl: false,
  };
}
