import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Patience, StoreError } from '../../src/bootstrap/object-store.ts';
import { seconds, type WaitOptions, waitFor } from '../../src/bootstrap/wait.ts';

const log: string[] = [];
const OPTIONS: WaitOptions = {
  timeoutMs: 5_000,
  denialTimeoutMs: 5_000,
  firstPauseMs: 10,
  longestPauseMs: 40,
  signal: new AbortController().signal,
  log: (line) => log.push(line),
};

function failing(patience: Patience, times: number, message = 'down') {
  let calls = 0;
  return async () => {
    calls++;
    if (calls <= times) throw new StoreError('STORE_UNREACHABLE', patience, message);
    return calls;
  };
}

describe('waitFor()', () => {
  it('asks until it is answered, with a line for each time it was not', async () => {
    log.length = 0;
    const { value, tries } = await waitFor(failing('down', 3), OPTIONS);
    assert.deepEqual([value, tries, log.length], [4, 4, 3]);
    assert.match(log[0] ?? '', /^waiting: down; next try in 0\.0 s, giving up in [45]\.\d s$/u);
  });

  it('asks once where asking again is no use', async () => {
    const attempt = failing('final', 9, 'no');
    await assert.rejects(waitFor(attempt, OPTIONS), { name: 'StoreError', message: 'no' });
    await assert.rejects(attempt(), 'it was asked once before');
  });

  it('lets a defect through as it is', async () => {
    const defect = new TypeError('a defect');
    await assert.rejects(
      waitFor(() => Promise.reject(defect), OPTIONS),
      defect,
    );
  });

  const bounds: readonly (readonly [Patience, Partial<WaitOptions>])[] = [
    ['down', { timeoutMs: 300 }],
    ['denied', { denialTimeoutMs: 300 }],
  ];
  for (const [patience, bound] of bounds) {
    it(`gives up on ${patience} when its own time is over, and says how often it asked`, async () => {
      const start = performance.now();
      await assert.rejects(
        waitFor(failing(patience, Number.POSITIVE_INFINITY), { ...OPTIONS, ...bound }),
        {
          code: 'STORE_UNREACHABLE',
          patience: 'final',
          message: /^down \(asked \d+ times in \d\.\d s\)$/u,
        },
      );
      const took = performance.now() - start;
      assert.ok(took >= 200 && took < 3_000, `took ${took} ms`);
    });
  }

  it('counts a refusal anew after the store was down in between', async () => {
    const answers: Patience[] = ['denied', 'down', 'denied', 'down', 'denied'];
    const attempt = async () => {
      const patience = answers.shift();
      if (patience !== undefined) throw new StoreError('STORE_PERMISSION', patience, patience);
      return 'yes';
    };
    const { value } = await waitFor(attempt, { ...OPTIONS, denialTimeoutMs: 1_000 });
    assert.equal(value, 'yes');
  });
});

describe('seconds()', () => {
  it('is short for a person', () => {
    assert.deepEqual([40, 1_250, 9_949, 9_950, 300_000].map(seconds), [
      '0.0 s',
      '1.3 s',
      '9.9 s',
      '10 s',
      '300 s',
    ]);
  });
});
