// What is measured against what is wanted, and the table that says so.

export interface Bar {
  readonly name: string;
  readonly empty: string;
  readonly ours: string;
  /** Ours against the empty function, or whatever the bar is about. */
  readonly value: number;
  readonly unit: string;
  /** The most that is allowed; absent where a figure is only shown. */
  readonly most?: number;
}

/** True when no bar is missed. */
export function held(bars: readonly Bar[]): boolean {
  return bars.every(({ value, most }) => most === undefined || value <= most);
}

/** The bars as a Markdown table. */
export function barsTable(bars: readonly Bar[]): string {
  const rows = bars.map(({ name, empty, ours, value, unit, most }) => {
    const verdict = most === undefined ? '' : value <= most ? 'held' : 'MISSED';
    const wanted = most === undefined ? '' : `at most ${most}${unit}`;
    return `| ${name} | ${empty} | ${ours} | ${value.toFixed(2)}${unit} | ${wanted} | ${verdict} |`;
  });
  return [
    '| | empty function | celld-stack | ours against it | wanted | |',
    '|---|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

/** The value below which the given share of the values lies. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
