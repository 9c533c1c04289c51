// The counters that a run reads from core.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseMetrics, sumOf } from '../../e2e/control-plane/metrics.ts';

const PAGE = `# HELP circuit_breaker_events_total Number of XR watch events.
# TYPE circuit_breaker_events_total counter
circuit_breaker_events_total{controller="composite/celldstacks",result="Allowed"} 12
circuit_breaker_events_total{controller="composite/celldstacks",result="Dropped"} 3
circuit_breaker_events_total{controller="composite/other",result="Allowed"} 40
process_start_time_seconds 1.7e+09
said{text="a \\"b\\", {c}"} 1
`;

describe('parseMetrics()', () => {
  it('reads names, labels and values, and leaves comments out', () => {
    assert.deepEqual(parseMetrics(PAGE).slice(3), [
      { name: 'process_start_time_seconds', labels: {}, value: 1.7e9 },
      { name: 'said', labels: { text: 'a \\"b\\", {c}' }, value: 1 },
    ]);
  });
});

describe('sumOf()', () => {
  it('adds the samples whose labels hold the given ones', () => {
    const samples = parseMetrics(PAGE);
    const name = 'circuit_breaker_events_total';
    assert.equal(sumOf(samples, name), 55);
    assert.equal(sumOf(samples, name, { controller: 'composite/celldstacks' }), 15);
    assert.equal(sumOf(samples, name, { result: 'Failed' }), 0);
  });
});
