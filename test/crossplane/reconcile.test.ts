import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type JsonObject, listAt, valueAt } from '../../src/core/json.ts';
import { type Reconciled, reconcile } from '../../src/crossplane/reconcile.ts';
import { canned, desired, input, XR } from '../support/render-input.ts';

const NOW = '2026-01-01T00:00:00Z';

function run(
  steps: Parameters<typeof input>[0],
  more: Parameters<typeof input>[1] = {},
): Promise<Reconciled> {
  const metadata = { ...XR.metadata, uid: 'u' };
  return reconcile({ ...input(steps, { xr: { ...XR, metadata }, ...more }), now: NOW });
}

function conditionsOf({ xr }: Reconciled): readonly unknown[] {
  return listAt(xr, 'status', 'conditions').map((one) =>
    ['type', 'status', 'reason', 'lastTransitionTime'].map((field) => valueAt(one, field)),
  );
}

function observed(name: string, controller?: string): JsonObject & { metadata: JsonObject } {
  const owner = { kind: 'X', name: 'x', uid: controller ?? '', controller: true };
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name,
      namespace: 'team-a',
      annotations: { 'crossplane.io/composition-resource-name': name },
      ...(controller === undefined ? {} : { ownerReferences: [owner] }),
    },
  };
}

const BEFORE = '2025-01-01T00:00:00Z';
const STATUS = {
  kept: 1,
  conditions: [
    { type: 'Ready', status: 'True', reason: 'Available', lastTransitionTime: BEFORE },
    { type: 'StorageReady', status: 'True', reason: 'Ready', lastTransitionTime: BEFORE },
    { type: 'FleetReady', status: 'True', reason: 'Ready', lastTransitionTime: BEFORE },
  ],
};

describe('reconcile()', () => {
  it('changes nothing but conditions when a step is fatal', async () => {
    const metadata = { ...XR.metadata, uid: 'u' };
    const result = await run(
      [
        canned('s', {
          ...desired({ apiVersion: 'v1', kind: 'ConfigMap' }),
          conditions: [
            { type: 'StorageReady', status: 'STATUS_CONDITION_FALSE', reason: 'Lost' },
            { type: 'Ready', status: 'STATUS_CONDITION_FALSE', reason: 'Mine' },
          ],
          results: [
            { severity: 'SEVERITY_WARNING', message: 'before' },
            { severity: 'SEVERITY_FATAL', message: 'stop' },
            { severity: 'SEVERITY_WARNING', message: 'after' },
          ],
        }),
      ],
      {
        xr: { ...XR, metadata, status: STATUS },
        observed: [observed('a') as unknown as typeof XR],
      },
    );
    assert.deepEqual(conditionsOf(result), [
      ['Ready', 'True', 'Available', BEFORE],
      ['StorageReady', 'False', 'Lost', NOW],
      ['FleetReady', 'Unknown', 'FatalError', NOW],
      ['Responsive', 'True', 'WatchCircuitClosed', NOW],
      ['Synced', 'False', 'ReconcileError', NOW],
    ]);
    const message = 'cannot compose resources: pipeline step "s" returned a fatal result: stop';
    assert.equal(valueAt(result.xr, 'status', 'conditions', 4, 'message'), message);
    assert.equal(valueAt(result.xr, 'status', 'kept'), 1);
    assert.deepEqual([result.composed, result.deleted], [[], []]);
    assert.deepEqual(
      result.events.map((event) => event.message),
      [
        'Successfully selected composition: celldstacks.hops.ops.com.ai',
        'Pipeline step "s": before',
        message,
      ],
    );
    assert.deepEqual(result.failure, {
      code: 'FUNCTION_FATAL',
      message: 'pipeline step "s" returned a fatal result: stop',
    });
  });

  it('keeps the time of a condition that says the same as before', async () => {
    const metadata = { ...XR.metadata, uid: 'u' };
    const result = await run([canned('s', {})], { xr: { ...XR, metadata, status: STATUS } });
    assert.deepEqual(conditionsOf(result)[0], ['Ready', 'True', 'Available', BEFORE]);
  });

  it('deletes what is no longer desired, unless it is the object of another controller', async () => {
    const result = await run([canned('s', {})], {
      observed: [observed('mine', 'u'), observed('nobodys'), observed('others', 'v')].map(
        (object) => object as unknown as typeof XR,
      ),
    });
    assert.deepEqual(
      result.deleted.map(({ metadata }) => metadata['name']),
      ['mine', 'nobodys'],
    );
  });

  it('wants to be called again after the shortest time that a step names', async () => {
    const ttl = (seconds: number, nanos = 0) => ({ meta: { ttl: { seconds, nanos } } });
    const result = await run([
      canned('a', ttl(60)),
      canned('b', {}),
      canned('c', ttl(1, 500_000_000)),
      canned('d', ttl(600)),
    ]);
    assert.equal(result.ttlSeconds, 1.5);
  });
});
