import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, it } from 'node:test';
import { ProblemError } from '../../../src/core/problem.ts';
import { fileEntry, linkEntry } from '../../../src/package/oci/tar.ts';
import { cacheIn } from '../../../src/package/runtime/cache.ts';
import { readElfNeeds } from '../../../src/package/runtime/elf.ts';
import {
  librariesOf,
  loadedLibraries,
  neededFiles,
} from '../../../src/package/runtime/libraries.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const NODE = readFileSync(process.execPath);

describe('readElfNeeds()', () => {
  it('finds what the loader has loaded for this very program', () => {
    const needs = readElfNeeds(NODE);
    const loaded = [...loadedLibraries().keys()];
    assert.deepEqual(
      needs?.libraries.filter((name) => !loaded.includes(name)),
      [],
    );
    assert.equal(loaded.includes(basename(needs?.interpreter ?? '')), true);
  });

  it('is undefined for what is no such binary', () => {
    assert.equal(readElfNeeds(Buffer.from('#!/bin/sh\n')), undefined);
    assert.equal(readElfNeeds(new Uint8Array()), undefined);
  });
});

describe('neededFiles()', () => {
  it('takes a binary, its loader, its libraries and theirs, and nothing else', () => {
    const names = neededFiles(NODE, loadedLibraries()).map(({ path }) => basename(path));
    const needs = readElfNeeds(NODE);
    assert.deepEqual(
      new Set(names),
      new Set([basename(needs?.interpreter ?? ''), ...(needs?.libraries ?? [])]),
    );
  });

  it('names a library that nobody has', () => {
    assert.throws(
      () => neededFiles(NODE, new Map()),
      (error) => error instanceof ProblemError && error.problems[0]?.code === 'BASE_UNUSABLE',
    );
  });
});

describe('librariesOf()', () => {
  it('follows links to the file, and leaves other files out', () => {
    const found = librariesOf([
      fileEntry('usr/lib/libx.so.6.0.1', 'x'),
      linkEntry('usr/lib/libx.so.6', 'libx.so.6.0.1'),
      fileEntry('lib/ld.so.2', 'loader'),
      linkEntry('lib64/ld.so.2', '/lib/ld.so.2'),
      linkEntry('usr/lib/liby.so.1', 'nowhere'),
      fileEntry('usr/share/doc/x.soap', ''),
    ]);
    assert.deepEqual(
      [...found].map(([name, { path, bytes }]) => [name, path, Buffer.from(bytes).toString()]),
      [
        ['libx.so.6.0.1', 'usr/lib/libx.so.6.0.1', 'x'],
        ['libx.so.6', 'usr/lib/libx.so.6', 'x'],
        ['ld.so.2', 'lib/ld.so.2', 'loader'],
      ],
    );
  });
});

describe('cacheIn()', () => {
  it('makes each thing once, and again when it was damaged', async (test) => {
    const folder = temporaryFolder(test, {});
    let made = 0;
    const make = async () => Buffer.from(`made ${++made}`);
    const cache = cacheIn(join(folder, 'cache'));
    assert.equal(String(await cache.bytes('key', make)), 'made 1');
    assert.equal(String(await cache.bytes('key', make)), 'made 1');
    assert.equal(String(await cache.bytes('other', make)), 'made 2');
    for (const file of readdirSync(join(folder, 'cache'))) {
      writeFileSync(join(folder, 'cache', file), 'damaged');
    }
    assert.equal(String(await cache.bytes('key', make)), 'made 3');
  });

  it('does without a folder that cannot be written to', async (test) => {
    const folder = temporaryFolder(test, { file: '' });
    const cache = cacheIn(join(folder, 'file'));
    assert.equal(String(await cache.bytes('key', async () => Buffer.from('made'))), 'made');
  });
});
