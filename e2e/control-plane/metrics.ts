// Prometheus' text format, as far as counters need it.

export interface Sample {
  readonly name: string;
  readonly labels: { readonly [label: string]: string };
  readonly value: number;
}

/** The samples of a metrics page. Lines that are no sample are left out. */
export function parseMetrics(text: string): readonly Sample[] {
  return text.split('\n').flatMap((line) => {
    const match = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? ([^ ]+)/u.exec(line);
    if (match === null) return [];
    const labels = [...(match[2] ?? '').matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/gu)].map(
      ([, label, value]) => [label ?? '', value ?? ''] as const,
    );
    return [{ name: match[1] ?? '', labels: Object.fromEntries(labels), value: Number(match[3]) }];
  });
}

/** The sum of a counter over the samples whose labels hold the given ones. */
export function sumOf(
  samples: readonly Sample[],
  name: string,
  labels: { readonly [label: string]: string } = {},
): number {
  return samples
    .filter((one) => one.name === name)
    .filter((one) => Object.entries(labels).every(([label, value]) => one.labels[label] === value))
    .reduce((sum, one) => sum + one.value, 0);
}
