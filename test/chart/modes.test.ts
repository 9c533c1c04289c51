import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CHART_MODES } from '../support/chart-modes.ts';
import { assertGolden } from '../support/golden.ts';
import { lintCharts, templateChart } from '../support/helm.ts';

describe('charts/celld', { concurrency: true }, () => {
  for (const [mode, values] of Object.entries(CHART_MODES)) {
    it(`renders ${mode} as test/chart/expected/${mode}.yaml says`, async () => {
      const { status, stdout, stderr } = await templateChart({ values });
      assert.deepEqual([status, stderr], [0, '']);
      assertGolden(`test/chart/expected/${mode}.yaml`, stdout);
    });
  }

  it('passes helm lint --strict in every mode', async () => {
    const { status, stderr } = await lintCharts(CHART_MODES);
    assert.deepEqual([status, stderr], [0, '']);
  });
});
