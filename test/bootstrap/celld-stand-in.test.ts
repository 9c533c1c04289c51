// The stand-in for celld is only worth something while it is as strict as celld.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Refusal, readNodeSettings, withFlags } from '../support/celld-stand-in/node-settings.ts';

const CHART = {
  CELLD_BUCKET: 's3://cells',
  CELLD_NODE: 'celld-0',
  CELLD_ADDR: '[::]:8080',
  CELLD_INTERNAL_ADDR: '[::]:8081',
  CELLD_ADVERTISE: 'celld-0.celld-internal.celld.svc:8081',
};

describe('readNodeSettings()', () => {
  it('takes what the chart gives, and the drain bound by the name of the release', () => {
    const old = readNodeSettings('v0.3.0', { ...CHART, CELLD_SHUTDOWN_DRAIN_MS: '1000' });
    assert.deepEqual(
      [old.listen, old.internal, old.advertise, old.node, old.drainMs],
      [
        { host: '::', port: 8080 },
        { host: '::', port: 8081 },
        CHART.CELLD_ADVERTISE,
        'celld-0',
        1000,
      ],
    );
    assert.equal(readNodeSettings('v0.3.0', CHART).drainMs, 25_000);
    assert.equal(readNodeSettings('0.6.2', CHART).drainMs, 40_000);
    assert.equal(
      readNodeSettings('0.6.2', { ...CHART, CELLD_SHUTDOWN_TOTAL_MS: '2000' }).drainMs,
      2_000,
    );
  });

  const refused: readonly (readonly [string, string, object, string])[] = [
    [
      'a variable that was removed',
      '0.6.2',
      { CELLD_SHUTDOWN_DRAIN_MS: '1000' },
      'CELLD_SHUTDOWN_DRAIN_MS was removed',
    ],
    [
      'one that was removed even when it is empty',
      '0.6.2',
      { CELLD_OTEL_SINK: '' },
      'CELLD_OTEL_SINK was removed',
    ],
    [
      'one that was removed by its beginning',
      '0.6.2',
      { CELLD_VAR_NAME: 'x' },
      'CELLD_VAR_NAME was removed',
    ],
    ['an empty value', 'v0.3.0', { CELLD_DURABILITY: '' }, 'CELLD_DURABILITY is empty'],
    [
      'another durability',
      'v0.3.0',
      { CELLD_DURABILITY: 'disk' },
      'CELLD_DURABILITY is not fleet or bucket',
    ],
    [
      'a public listener alone',
      'v0.3.0',
      { CELLD_INTERNAL_ADDR: undefined },
      'a listener that is not loopback needs an explicit internal listener',
    ],
    [
      'no address to be reached at',
      'v0.3.0',
      { CELLD_ADVERTISE: undefined },
      'CELLD_ADVERTISE is needed: the internal listener has no address of its own',
    ],
    [
      'an IPv6 address without brackets',
      '0.6.2',
      { CELLD_ADVERTISE: 'fd00::1:8081' },
      'CELLD_ADVERTISE is fd00::1:8081: no HOST:PORT',
    ],
    [
      'a public address',
      '0.6.2',
      { CELLD_ADVERTISE: '8.8.8.8:8081' },
      'CELLD_ADVERTISE is 8.8.8.8:8081: a public address',
    ],
    [
      'a host name to listen on',
      '0.6.2',
      { CELLD_ADDR: 'localhost:8080' },
      'CELLD_ADDR is localhost:8080: no IP:PORT',
    ],
  ];
  for (const [what, version, change, message] of refused) {
    it(`refuses ${what}, as celld ${version} does`, () => {
      assert.throws(
        () => readNodeSettings(version, { ...CHART, ...change }),
        (error) => {
          assert.ok(error instanceof Refusal);
          assert.equal(error.message, message);
          return true;
        },
      );
    });
  }
});

describe('withFlags()', () => {
  it('lets a flag win over its variable and knows no other', () => {
    const { CELLD_ADDR } = withFlags(['--listen', '127.0.0.1:1'], CHART);
    assert.equal(CELLD_ADDR, '127.0.0.1:1');
    assert.throws(() => withFlags(['--zone', 'a'], CHART), /unexpected argument "--zone"/u);
  });
});
