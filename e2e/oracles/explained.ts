// The differences that stay, each with the fact behind it. The oracles read this table.
import type { Explained } from './differences.ts';

export const EXPLAINED: readonly Explained[] = [
  {
    oracle: 'api',
    matches: ({ case: name, path }) => name === 'the CRD' && path.endsWith('.description'),
    because: 'Crossplane describes the fields that it adds to an XR; a description checks nothing',
    source: 'the CRD that core v2.3.4 makes',
  },
];
