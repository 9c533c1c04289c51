// Names that fit: the same rule as the chart's `celld.short`, so that stack and chart agree on every name.
import { sha256Hex } from './sha256.ts';

/** Kubernetes' limit for a DNS label, which Services and label values have to be. */
export const MAX_DNS_LABEL_LENGTH = 63;

/** The longest name of a StatefulSet: its pods carry it with an 11 character suffix in a label. */
export const MAX_STATEFUL_SET_NAME_LENGTH = 52;

/**
 * The name itself when it has at most `max` characters, else its beginning and a hash of the whole, so
 * that two long names stay two names.
 */
export function shortName(name: string, max: number): string {
  if (name.length <= max) return name;
  return `${name.slice(0, max - 9).replace(/-+$/u, '')}-${sha256Hex(name).slice(0, 8)}`;
}
