import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ProblemError } from '../../../src/core/problem.ts';
import {
  formatReference,
  packageObjectName,
  parseReference,
} from '../../../src/package/registry/reference.ts';

const DIGEST = `sha256:${'a'.repeat(64)}`;

describe('parseReference()', () => {
  const good = [
    {
      text: 'ghcr.io/hops-ops/celld-stack',
      registry: 'ghcr.io',
      repository: 'hops-ops/celld-stack',
    },
    { text: 'ghcr.io/a/b:v1.2.3', registry: 'ghcr.io', repository: 'a/b', tag: 'v1.2.3' },
    {
      text: `localhost:5000/a@${DIGEST}`,
      registry: 'localhost:5000',
      repository: 'a',
      digest: DIGEST,
    },
    {
      text: `127.0.0.1:5000/a/b__c:t@${DIGEST}`,
      registry: '127.0.0.1:5000',
      repository: 'a/b__c',
      tag: 't',
      digest: DIGEST,
    },
    { text: '[::1]:5000/a', registry: '[::1]:5000', repository: 'a' },
  ];
  for (const { text, ...wanted } of good) {
    it(`reads ${text} and writes it back`, () => {
      assert.deepEqual(parseReference(text), wanted);
      assert.equal(formatReference(parseReference(text)), text);
    });
  }

  const bad = [
    { text: 'hops-ops/celld-stack', why: 'no registry' },
    { text: 'celld-stack', why: 'no registry and no folder' },
    { text: 'ghcr.io/', why: 'no repository' },
    { text: 'ghcr.io/Hops/x', why: 'upper case' },
    { text: 'ghcr.io/a:b c', why: 'a tag with a space' },
    { text: 'ghcr.io/a@sha256:12', why: 'a short digest' },
    { text: 'ghcr.io/a//b', why: 'an empty folder' },
    { text: 'https://ghcr.io/a', why: 'a scheme' },
  ];
  for (const { text, why } of bad) {
    it(`refuses ${text}: ${why}`, () => {
      assert.throws(
        () => parseReference(text),
        (error) => error instanceof ProblemError && error.problems[0]?.code === 'IMAGE_REFERENCE',
      );
    });
  }
});

describe('packageObjectName()', () => {
  it('is the DNS label that Crossplane makes of a repository', () => {
    assert.deepEqual(
      [
        'hops-ops/function-celld-stack',
        'crossplane-contrib/function-auto-ready',
        'a.b/c_d',
        '-x-',
      ].map(packageObjectName),
      ['hops-ops-function-celld-stack', 'crossplane-contrib-function-auto-ready', 'a-b-cd', 'x'],
    );
  });
});
