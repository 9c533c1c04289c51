import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { jsonLog } from '../../src/server/log.ts';

const now = () => new Date('2026-01-02T03:04:05.678Z');

describe('jsonLog()', () => {
  for (const { debug, why } of [
    { debug: false, why: 'without debug events' },
    { debug: true, why: 'with debug events when asked for' },
  ]) {
    it(`writes an event a line, ${why}`, () => {
      const lines: string[] = [];
      const log = jsonLog((line) => lines.push(line), { debug, now });
      log('debug', 'called', { milliseconds: 1.5 });
      log('info', 'two\nlines', { tag: undefined, address: '"' });
      const called =
        '{"time":"2026-01-02T03:04:05.678Z","level":"debug","message":"called","milliseconds":1.5}\n';
      assert.deepEqual(lines, [
        ...(debug ? [called] : []),
        '{"time":"2026-01-02T03:04:05.678Z","level":"info","message":"two\\nlines","address":"\\""}\n',
      ]);
    });
  }
});
