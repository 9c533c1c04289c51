import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  parseFieldSelector,
  selectField,
} from '../../../src/crossplane/test-case/field-selector.ts';

const DOCUMENT = {
  metadata: { labels: { 'app.kubernetes.io/name': 'celld', a: 'b' } },
  spec: { rules: [{ name: 'x' }, { name: 'y', port: 80 }], 3: 'three' },
  status: { conditions: [{ type: 'Ready', status: 'False' }] },
};

describe('selectField()', () => {
  for (const [text, value] of [
    ['metadata.labels.a', 'b'],
    ['metadata.labels[app.kubernetes.io/name]', 'celld'],
    ['spec.rules[1].name', 'y'],
    ['spec.rules[name=y].port', 80],
    ['spec.rules[port=80].name', 'y'],
    ['status.conditions[type=Ready].status', 'False'],
    ['status.conditions[type=Synced].status', undefined],
    ['spec.rules[2]', undefined],
    ['spec.rules.name', undefined],
    ['spec.name[type=x]', undefined],
    ['spec', DOCUMENT.spec],
    ['constructor', undefined],
  ] as const) {
    it(`finds ${text}`, () => {
      const selector = parseFieldSelector(text);
      assert.ok(selector !== undefined);
      assert.deepEqual(selectField(DOCUMENT, selector), value);
    });
  }
});

describe('parseFieldSelector()', () => {
  for (const text of ['', '.', 'a.', '.a[', 'a[]', 'a]b', 'a..b']) {
    it(`refuses ${JSON.stringify(text)}`, () => {
      assert.equal(parseFieldSelector(text), undefined);
    });
  }
});
