// The differences that stay, each with the fact behind it. The oracles read this table.
import type { Explained } from './differences.ts';

export const EXPLAINED: readonly Explained[] = [
  {
    oracle: 'api',
    matches: ({ case: name, path }) => name === 'the CRD' && path.endsWith('.description'),
    because: 'Crossplane describes the fields that it adds to an XR; a description checks nothing',
    source: 'the CRD that core v2.3.4 makes',
  },
  {
    oracle: 'api',
    matches: ({ case: name }) => name.includes('metadata-label-number'),
    because: 'a label that is no text is refused while metadata is decoded, in words of Go',
    source: 'kube-apiserver v1.35.4',
  },
  {
    oracle: 'api',
    matches: ({ case: name }) => name.includes('release-newer-provider'),
    because: 'the provider-helm that is built here is older than the one whose schema we ship',
    source: 'provider-helm v1.3.0 and v1.4.0',
  },
  {
    oracle: 'api',
    matches: ({ path }) => path === 'stored.defaultCompositeDeletePolicy',
    because: 'XRDs are stored as version 1, whose defaults show in version 2 as well',
    source: 'Crossplane v2.3.4',
  },
  {
    oracle: 'render',
    matches: ({ path, theirs, ours }) =>
      path === 'exit' && theirs.includes('printed') && /error (RULE_BROKEN|FIELD_)/u.test(ours),
    because:
      'ours refuses an XR that no API server would store; the official render validates nothing',
    source: 'crossplane/crossplane issue 6809; make oracle-api holds the rules themselves',
  },
];
