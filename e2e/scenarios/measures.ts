// The table at the end of a run.

export interface Measures {
  readonly scenario: string;
  readonly outcome: 'ok' | 'failed';
  readonly seconds: number;
  readonly secondsToReady: number | undefined;
  readonly calls: number | undefined;
  readonly events: number;
  readonly leastBudget: number;
  readonly opens: number;
  /** The object written most often, and how often. */
  readonly mostWritten: string;
  readonly writesAtRest: number | undefined;
}

const COLUMNS: readonly (readonly [string, (one: Measures) => string])[] = [
  ['scenario', (one) => one.scenario],
  ['result', (one) => one.outcome],
  ['took s', (one) => one.seconds.toFixed(0)],
  ['ready s', (one) => one.secondsToReady?.toFixed(1) ?? '-'],
  ['calls', (one) => String(one.calls ?? '-')],
  ['events', (one) => String(one.events)],
  ['least budget', (one) => String(one.leastBudget)],
  ['opens', (one) => String(one.opens)],
  ['most written', (one) => one.mostWritten],
  ['writes at rest', (one) => String(one.writesAtRest ?? '-')],
];

/** The measures as a text table, one row a scenario. */
export function measuresTable(all: readonly Measures[]): string {
  const rows = [
    COLUMNS.map(([title]) => title),
    ...all.map((one) => COLUMNS.map(([, text]) => text(one))),
  ];
  const widths = COLUMNS.map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
