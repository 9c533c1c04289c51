import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  fileEntry,
  folderEntry,
  linkEntry,
  packTar,
  readTar,
  type TarEntry,
} from '../../../src/package/oci/tar.ts';

const LONG_FOLDER = `${'deep/'.repeat(22)}file.txt`;

describe('packTar()', () => {
  it('gives bytes that depend on the entries alone', () => {
    const entries = [folderEntry('app'), fileEntry('app/main.mjs', 'let x;\n', 0o444)];
    assert.deepEqual(packTar(entries), packTar(structuredClone(entries)));
  });

  it('writes what readTar() reads', () => {
    const name = fc.stringMatching(/^[a-z0-9._-]{1,60}$/u).filter((one) => !/^\.+$/u.test(one));
    const entry = fc.oneof(
      fc
        .record({ path: name, content: fc.uint8Array({ maxLength: 2000 }) })
        .map(({ path, content }) => fileEntry(path, content, 0o755)),
      name.map((path) => folderEntry(path)),
      fc.tuple(name, name).map(([path, target]) => linkEntry(path, target)),
    );
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 8 }), (entries) => {
        assert.deepEqual(plain(readTar(packTar(entries))), plain(entries));
      }),
    );
  });

  it('is read by tar, long paths, modes and links included', () => {
    const folder = mkdtempSync(join(tmpdir(), 'celld-tar-'));
    try {
      const file = join(folder, 'a.tar');
      const entries = [
        folderEntry('app'),
        fileEntry(LONG_FOLDER, 'x', 0o755),
        linkEntry('lib', 'usr/lib'),
      ];
      writeFileSync(file, packTar(entries));
      const listed = spawnSync('tar', ['--utc', '-tvf', file], { encoding: 'utf8' });
      assert.deepEqual(
        { text: listed.stdout.replaceAll(/ +/gu, ' '), error: listed.stderr },
        {
          text: [
            'drwxr-xr-x 0/0 0 1970-01-01 00:00 app/',
            `-rwxr-xr-x 0/0 1 1970-01-01 00:00 ${LONG_FOLDER}`,
            'lrwxrwxrwx 0/0 0 1970-01-01 00:00 lib -> usr/lib\n',
          ].join('\n'),
          error: '',
        },
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('refuses a path that the format cannot hold', () => {
    assert.throws(() => packTar([fileEntry('x'.repeat(101), '')]), RangeError);
  });
});

describe('readTar()', () => {
  for (const format of ['gnu', 'pax', 'ustar']) {
    it(`reads an archive of tar in ${format} form`, () => {
      const folder = mkdtempSync(join(tmpdir(), 'celld-tar-'));
      try {
        const long = `${'n'.repeat(90)}.txt`;
        writeFileSync(join(folder, long), 'hello');
        const made = spawnSync('tar', [
          `--format=${format}`,
          '--mode=0640',
          '-C',
          folder,
          ...(format === 'ustar' ? [] : [`--transform=s,^,${'d'.repeat(120)}/,`]),
          '-cf',
          '-',
          long,
        ]);
        const path = format === 'ustar' ? long : `${'d'.repeat(120)}/${long}`;
        assert.deepEqual(plain(readTar(made.stdout)), plain([fileEntry(path, 'hello', 0o640)]));
      } finally {
        rmSync(folder, { recursive: true });
      }
    });
  }

  it('refuses an archive that is cut off', () => {
    const whole = packTar([fileEntry('a', 'x'.repeat(2000))]);
    assert.throws(() => readTar(whole.subarray(0, 1024)), RangeError);
  });
});

function plain(entries: readonly TarEntry[]): object[] {
  return entries.map((entry) => ({
    ...entry,
    content: Buffer.from(entry.content).toString('hex'),
  }));
}
