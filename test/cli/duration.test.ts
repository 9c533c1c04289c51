import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseDuration } from '../../src/cli/duration.ts';
import { ProblemError } from '../../src/core/problem.ts';

describe('parseDuration()', () => {
  for (const [text, milliseconds] of [
    ['1m', 60_000],
    ['30s', 30_000],
    ['500ms', 500],
    ['1m30s', 90_000],
    ['1.5h', 5_400_000],
  ] as const) {
    it(`reads ${text}`, () => {
      assert.equal(parseDuration('timeout', text), milliseconds);
    });
  }

  for (const text of ['', '5', 'm', '1d', '-1s', '1m 30s']) {
    it(`refuses ${JSON.stringify(text)}`, () => {
      assert.throws(
        () => parseDuration('timeout', text),
        (error) => error instanceof ProblemError && error.problems[0]?.code === 'USAGE',
      );
    });
  }
});
