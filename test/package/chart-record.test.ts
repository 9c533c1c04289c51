import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { projectFile } from '../../src/cli/project.ts';
import { checkChartRecord } from '../../src/package/chart-record.ts';
import { packChart, readChart } from '../../src/package/content/chart.ts';

describe('charts/digests.json', () => {
  it('has the chart as it is: after a change, celld-stack build --record-chart', async () => {
    const chart = readChart(projectFile('charts', 'celld'));
    const { contentDigest } = await packChart(chart);
    assert.deepEqual(checkChartRecord(projectFile(), chart, contentDigest), []);
  });
});
