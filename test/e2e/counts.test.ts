// What is counted of a recorded life.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  type Change,
  leastBudget,
  secondsToReady,
  writesByObject,
} from '../../e2e/scenarios/counts.ts';
import { transcript } from '../../e2e/scenarios/transcript.ts';
import type { JsonObject } from '../../src/core/json.ts';

function change(at: number, type: string, object: string, value: JsonObject = {}): Change {
  return { at, type, object, xr: 'celld', value };
}

const READY = { status: { conditions: [{ type: 'Ready', status: 'True' }] } };

describe('leastBudget()', () => {
  const rows: readonly [why: string, changes: readonly Change[], tokens: number][] = [
    ['nothing happened', [], 100],
    [
      'an addition takes one, an update two',
      [change(1, 'ADDED', 'a'), change(1, 'MODIFIED', 'a')],
      97,
    ],
    [
      'a second gives one back, never more than there were',
      [change(1, 'MODIFIED', 'a'), change(1001, 'MODIFIED', 'a'), change(9001, 'ADDED', 'b')],
      97,
    ],
    [
      'what is being deleted is free',
      [change(1, 'MODIFIED', 'a', { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } })],
      100,
    ],
    ['another XR has a budget of its own', [{ ...change(1, 'MODIFIED', 'a'), xr: 'other' }], 100],
  ];
  for (const [why, changes, tokens] of rows) {
    it(why, () => assert.equal(leastBudget(changes, 'celld'), tokens));
  }
});

describe('secondsToReady()', () => {
  it('counts from the first sight of the XR to its first Ready=True', () => {
    const life = [
      change(1000, 'ADDED', 'CelldStack/celld'),
      change(1500, 'MODIFIED', 'Release/celld', READY),
      change(4200, 'MODIFIED', 'CelldStack/celld', READY),
    ];
    assert.equal(secondsToReady(life, 'celld'), 3.2);
    assert.equal(secondsToReady(life.slice(0, 2), 'celld'), undefined);
  });
});

describe('writesByObject()', () => {
  it('counts each object, most written first', () => {
    const life = [change(1, 'ADDED', 'a'), change(2, 'ADDED', 'b'), change(3, 'MODIFIED', 'b')];
    assert.deepEqual(writesByObject(life, 'celld'), [
      ['b', 2],
      ['a', 1],
    ]);
  });
});

describe('transcript()', () => {
  it('shows of each change what differs from the last sight of the object', () => {
    const before = { metadata: { name: 'a', resourceVersion: '1' }, spec: { size: 1, kept: true } };
    const after = { metadata: { name: 'a', resourceVersion: '2' }, spec: { size: 2, kept: true } };
    assert.equal(
      transcript([change(1000, 'ADDED', 'a', before), change(2500, 'MODIFIED', 'a', after)]),
      `- after: 0
  event: ADDED a
  metadata:
    name: a
  spec:
    kept: true
    size: 1
- after: 1.5
  event: MODIFIED a
  spec:
    size: 2
`,
    );
  });
});
