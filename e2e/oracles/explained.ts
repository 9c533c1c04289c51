// The differences that stay, each with the fact behind it. The oracles read this table.
import type { Explained } from './differences.ts';

export const EXPLAINED: readonly Explained[] = [];
