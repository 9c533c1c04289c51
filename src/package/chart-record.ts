// Which content each version of the chart stands for. Providers know charts by name and version, so what
// changes under an unchanged version never arrives.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Json, stringAt } from '../core/json.ts';
import type { Problem } from '../core/problem.ts';
import { readText } from '../manifests/load.ts';

/** The record, relative to the project. */
export const CHART_RECORD = 'charts/digests.json';

function recordIn(root: string): { [name: string]: { [version: string]: string } } {
  const file = join(root, CHART_RECORD);
  return existsSync(file)
    ? (JSON.parse(readText(file)) as { [name: string]: { [version: string]: string } })
    : {};
}

/** The problem of a chart that is not what was recorded for its version, or that was never recorded. */
export function checkChartRecord(
  root: string,
  chart: { readonly name: string; readonly version: string },
  contentDigest: string,
): readonly Problem[] {
  const recorded = stringAt(recordIn(root) as Json, chart.name, chart.version);
  if (recorded === contentDigest) return [];
  const message =
    recorded === undefined
      ? `${CHART_RECORD} does not have ${chart.name} ${chart.version}`
      : `charts/${chart.name} changed, yet is still version ${chart.version}: where that version is installed, the change would never arrive`;
  return [
    {
      code: 'CHART_CHANGED',
      path: '',
      message,
      hint: 'Raise the version in Chart.yaml and src/compose/artifacts.ts once it was published; record the content with celld-stack build --record-chart.',
    },
  ];
}

/** Writes the content of a chart's version into the record. */
export function recordChart(
  root: string,
  chart: { readonly name: string; readonly version: string },
  contentDigest: string,
): void {
  const record = recordIn(root);
  record[chart.name] = { ...record[chart.name], [chart.version]: contentDigest };
  writeFileSync(join(root, CHART_RECORD), `${JSON.stringify(record, null, 2)}\n`);
}
