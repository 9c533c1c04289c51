// Timestamps and durations as Go and RFC 3339 write them, in nanoseconds.

const UNIT_NANOS: { readonly [unit: string]: bigint } = {
  ns: 1n,
  us: 1_000n,
  µs: 1_000n,
  μs: 1_000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
};

/** The nanoseconds of `1h30m`; undefined when it is no duration of Go. */
export function parseDuration(text: string): bigint | undefined {
  const match = /^(?<sign>[-+]?)(?<rest>0|(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)$/u.exec(
    text,
  );
  if (match === null) return undefined;
  let nanos = 0n;
  for (const part of text.matchAll(/(?<whole>\d*)\.?(?<part>\d*)(?<unit>ns|us|µs|μs|ms|s|m|h)/gu)) {
    const { whole = '', part: fraction = '', unit = '' } = part.groups ?? {};
    const size = UNIT_NANOS[unit] ?? 0n;
    nanos += BigInt(whole === '' ? '0' : whole) * size;
    if (fraction !== '') nanos += (BigInt(fraction) * size) / 10n ** BigInt(fraction.length);
  }
  return match.groups?.['sign'] === '-' ? -nanos : nanos;
}

/** A duration as CEL prints it: seconds with a fraction. */
export function formatDuration(nanos: bigint): string {
  const sign = nanos < 0n ? '-' : '';
  const size = nanos < 0n ? -nanos : nanos;
  const fraction = (size % 1_000_000_000n).toString().padStart(9, '0').replace(/0+$/u, '');
  return `${sign}${size / 1_000_000_000n}${fraction === '' ? '' : `.${fraction}`}s`;
}

/** The nanoseconds since 1970 of an RFC 3339 timestamp or a date; undefined when it is neither. */
export function parseTimestamp(text: string): bigint | undefined {
  const match =
    /^(?<date>\d{4}-\d{2}-\d{2})(?:[Tt](?<time>\d{2}:\d{2}:\d{2})(?:\.(?<fraction>\d{1,9})\d*)?(?<zone>[Zz]|[+-]\d{2}:\d{2}))?$/u.exec(
      text,
    );
  if (match === null) return undefined;
  const { date = '', time = '00:00:00', fraction = '', zone = 'Z' } = match.groups ?? {};
  const millis = Date.parse(`${date}T${time}${zone.toUpperCase()}`);
  if (Number.isNaN(millis)) return undefined;
  return BigInt(millis) * 1_000_000n + BigInt(fraction.padEnd(9, '0'));
}

/** A timestamp as RFC 3339 in UTC. */
export function formatTimestamp(nanos: bigint): string {
  const seconds = nanos / 1_000_000_000n - (nanos < 0n && nanos % 1_000_000_000n !== 0n ? 1n : 0n);
  const fraction = (nanos - seconds * 1_000_000_000n).toString().padStart(9, '0');
  const digits = fraction.replace(/0+$/u, '');
  const text = new Date(Number(seconds) * 1000).toISOString().replace(/\.\d+Z$/u, '');
  return `${text}${digits === '' ? '' : `.${digits}`}Z`;
}
