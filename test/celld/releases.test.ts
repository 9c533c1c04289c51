import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { refusesVariable, VERSIONS } from '../../src/celld/release-lines.ts';
import {
  compareVersions,
  type Durability,
  NEWEST,
  NEWEST_VERSION,
  RELEASE_LINES,
  readTag,
  type UpgradeStep,
  upgradeStep,
} from '../../src/celld/releases.ts';

const DIGEST = `@sha256:${'0f'.repeat(32)}`;

describe('RELEASE_LINES', () => {
  it('lists every version once, oldest first', () => {
    assert.deepEqual(VERSIONS, [
      '0.0.1',
      '0.0.2',
      '0.1.0',
      '0.2.0',
      '0.2.1',
      '0.3.0',
      '0.4.0',
      '0.4.1',
      '0.5.0',
      '0.5.1',
      '0.6.0',
      '0.6.1',
      '0.6.2',
    ]);
    assert.deepEqual([...VERSIONS].sort(compareVersions), VERSIONS);
  });

  it('ends with the newest line and version', () => {
    assert.equal(RELEASE_LINES.at(-1), NEWEST);
    assert.equal(NEWEST.versions.at(-1), NEWEST_VERSION);
  });

  it('switches where the contract of celld does', () => {
    const contract = RELEASE_LINES.map((line) => [
      line.versions[0],
      line.healthPath,
      line.drain?.variable,
      line.drain?.defaultMs,
      line.podIdentity,
      line.waitsForDeployment,
      line.telemetry,
      line.stores.join(),
    ]);
    const [old, now] = ['/__celld/health', '/.well-known/celld/health'];
    const [drain, total] = ['CELLD_SHUTDOWN_DRAIN_MS', 'CELLD_SHUTDOWN_TOTAL_MS'];
    assert.deepEqual(contract, [
      ['0.0.1', old, undefined, undefined, false, false, 'none', 's3'],
      ['0.2.0', old, drain, 25_000, false, false, 'sink', 's3,gs'],
      ['0.3.0', old, drain, 25_000, false, false, 'sink', 's3,gs,az'],
      ['0.4.0', now, total, 40_000, false, false, 'sink', 's3,gs,az'],
      ['0.5.0', now, total, 40_000, false, false, 'url', 's3,gs,az'],
      ['0.5.1', now, total, 40_000, true, true, 'url', 's3,gs,az'],
      ['0.6.0', now, total, 40_000, true, true, 'url', 's3,gs,az'],
    ]);
  });

  it('leaves a stop its whole bound and a margin, and never refuses its own variable', () => {
    for (const { drain, leastGraceSeconds, ...line } of RELEASE_LINES) {
      if (drain === undefined) continue;
      assert.equal(leastGraceSeconds * 1000 >= drain.defaultMs + 10_000, true);
      assert.equal(refusesVariable({ leastGraceSeconds, ...line }, drain.variable), false);
    }
  });
});

describe('refusesVariable()', () => {
  for (const { version, name, refused } of [
    { version: '0.3.0', name: 'CELLD_SHUTDOWN_DRAIN_MS', refused: false },
    { version: '0.6.2', name: 'CELLD_SHUTDOWN_DRAIN_MS', refused: true },
    { version: '0.6.2', name: 'CELLD_SHUTDOWN_TOTAL_MS', refused: false },
    { version: '0.6.2', name: 'CELLD_VAR_GREETING', refused: true },
    { version: '0.5.1', name: 'CELLD_VARS_FILE', refused: true },
    { version: '0.5.0', name: 'CELLD_VAR_GREETING', refused: false },
    { version: '0.6.0', name: 'CELLD_EVICTIONS_', refused: false },
  ]) {
    it(`${refused ? 'refuses' : 'accepts'} ${name} for ${version}`, () => {
      const reading = readTag(version);
      assert.equal(reading.kind, 'known');
      assert.equal(reading.kind === 'known' && refusesVariable(reading.line, name), refused);
    });
  }
});

describe('readTag()', () => {
  const known = (version: string) => ({
    kind: 'known',
    version,
    line: RELEASE_LINES.find(({ versions }) => versions.includes(version)),
  });
  const unknown = (version: string, first: string) => ({
    kind: 'unknown',
    version,
    line: RELEASE_LINES.find(({ versions }) => versions[0] === first),
  });
  for (const { tag, expected, why } of [
    { tag: '0.6.2', expected: known('0.6.2'), why: 'a version' },
    { tag: 'v0.6.2', expected: known('0.6.2'), why: 'a git tag' },
    { tag: `v0.3.0${DIGEST}`, expected: known('0.3.0'), why: 'a tag with its digest' },
    { tag: '0.7.0', expected: unknown('0.7.0', '0.6.0'), why: 'a later release' },
    { tag: '0.10.0', expected: unknown('0.10.0', '0.6.0'), why: 'numbers, not letters' },
    { tag: '0.3.1', expected: unknown('0.3.1', '0.3.0'), why: 'a gap in the list' },
    { tag: '0.0.0', expected: unknown('0.0.0', '0.6.0'), why: 'before the first release' },
    { tag: '0.6.2-rc.1', expected: unknown('0.6.2-rc.1', '0.6.0'), why: 'a build of its own' },
    { tag: 'latest', expected: { kind: 'unreadable' }, why: 'a moving tag' },
    { tag: DIGEST.slice(1), expected: { kind: 'unreadable' }, why: 'a digest alone' },
    { tag: `sha-${'a'.repeat(40)}`, expected: { kind: 'unreadable' }, why: 'a commit' },
    { tag: '0.6', expected: { kind: 'unreadable' }, why: 'a tag that is not published' },
    { tag: 'v00.6.2', expected: { kind: 'unreadable' }, why: 'a leading zero' },
    { tag: '0.6.2 ', expected: { kind: 'unreadable' }, why: 'a space' },
    { tag: '0.6.2@sha256:00', expected: { kind: 'unreadable' }, why: 'half a digest' },
    { tag: '', expected: { kind: 'unreadable' }, why: 'nothing' },
  ]) {
    it(`reads ${JSON.stringify(tag.slice(0, 24))} as ${expected.kind}: ${why}`, () => {
      assert.deepEqual(readTag(tag), expected);
    });
  }

  it('never throws, and reads every form of a known version alike', () => {
    fc.assert(fc.property(fc.string(), (tag) => typeof readTag(tag).kind === 'string'));
    fc.assert(
      fc.property(
        fc.constantFrom(...VERSIONS),
        fc.boolean(),
        fc.boolean(),
        (version, v, digest) => {
          const tag = `${v ? 'v' : ''}${version}${digest ? DIGEST : ''}`;
          assert.deepEqual(readTag(tag), known(version));
        },
      ),
    );
  });
});

describe('upgradeStep()', () => {
  for (const { from, to, fleet, bucket, why } of [
    { from: '0.6.2', to: 'v0.6.2', fleet: 'same', bucket: 'same', why: 'the same release' },
    { from: 'latest', to: 'latest', fleet: 'same', bucket: 'same', why: 'the same text' },
    { from: '0.0.1', to: '0.0.2', fleet: 'unknown', bucket: 'unknown', why: 'nothing published' },
    { from: '0.1.0', to: '0.2.0', fleet: 'full-stop', bucket: 'full-stop', why: 'stated' },
    { from: '0.2.0', to: '0.2.1', fleet: 'roll', bucket: 'roll', why: 'the general rule' },
    { from: '0.2.1', to: '0.3.0', fleet: 'roll', bucket: 'roll', why: 'stated' },
    { from: '0.3.0', to: '0.4.0', fleet: 'full-stop', bucket: 'full-stop', why: 'stated' },
    { from: '0.4.0', to: '0.4.1', fleet: 'roll', bucket: 'roll', why: 'stated' },
    { from: '0.4.1', to: '0.5.0', fleet: 'full-stop', bucket: 'full-stop', why: 'stated' },
    { from: '0.5.0', to: '0.5.1', fleet: 'roll', bucket: 'roll', why: 'stated' },
    { from: '0.5.1', to: '0.6.0', fleet: 'full-stop', bucket: 'roll', why: 'only followers mind' },
    { from: '0.6.0', to: '0.6.2', fleet: 'roll', bucket: 'roll', why: 'the general rule' },
    {
      from: '0.3.0',
      to: '0.6.2',
      fleet: 'full-stop',
      bucket: 'full-stop',
      why: 'the worst on the way',
    },
    { from: '0.6.2', to: '0.6.1', fleet: 'unknown', bucket: 'unknown', why: 'no way back' },
    { from: '0.6.2', to: '0.7.0', fleet: 'unknown', bucket: 'unknown', why: 'an unknown release' },
    { from: 'latest', to: '0.6.2', fleet: 'unknown', bucket: 'unknown', why: 'an unreadable tag' },
  ] satisfies readonly {
    from: string;
    to: string;
    fleet: UpgradeStep;
    bucket: UpgradeStep;
    why: string;
  }[]) {
    it(`${from} to ${to}: ${fleet}, with bucket durability ${bucket}: ${why}`, () => {
      assert.deepEqual(
        [upgradeStep(from, to, 'fleet'), upgradeStep(from, to, 'bucket')],
        [fleet, bucket],
      );
    });
  }

  it('a longer way is never safer than a part of it, nor fleet safer than bucket', () => {
    const danger = { same: 0, roll: 1, 'full-stop': 2, unknown: 3 } as const;
    const tag = fc.constantFrom(...VERSIONS);
    fc.assert(
      fc.property(tag, tag, tag, (...tags) => {
        const [a, b, c] = tags.sort(compareVersions);
        const step = (from: string, to: string, durability: Durability) =>
          danger[upgradeStep(from, to, durability)];
        assert.equal(step(a, c, 'fleet'), Math.max(step(a, b, 'fleet'), step(b, c, 'fleet')));
        assert.equal(step(a, c, 'fleet') >= step(a, c, 'bucket'), true);
      }),
    );
  });
});
