// What README.md shows is typed, read and followed here.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { projectFile } from '../../src/cli/project.ts';
import { runCli } from '../support/run-cli.ts';

const readme = readFileSync(projectFile('README.md'), 'utf8');

/** The bodies of the code blocks of one language. */
function blocks(language: string): readonly string[] {
  const pattern = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gmu');
  return [...readme.matchAll(pattern)].map((match) => match[1] ?? '');
}

describe('README.md', () => {
  it('shows commands that print what it says', () => {
    const shown = blocks('console').flatMap((block) => block.split(/^\$ /mu).slice(1));
    const typed = shown.map((text) => {
      const command = text.slice(0, text.indexOf('\n'));
      const { stdout } = spawnSync('sh', ['-c', command], {
        cwd: projectFile(),
        encoding: 'utf8',
      });
      return `${command}\n${stdout}`.trimEnd();
    });
    assert.deepEqual(
      typed,
      shown.map((text) => text.trimEnd()),
    );
  });

  it('names make targets that exist', () => {
    const makefile = readFileSync(projectFile('Makefile'), 'utf8');
    const named = [...readme.matchAll(/\bmake ([a-z-]+)/gu)].map((match) => match[1] ?? '');
    const targets = [...makefile.matchAll(/^([a-z0-9-]+):/gmu)].map((match) => match[1]);
    assert.deepEqual(
      named.filter((name) => !targets.includes(name)),
      [],
    );
  });

  it('shows an XR that renders', async () => {
    const xr = blocks('yaml').find((block) => block.includes('kind: CelldStack')) ?? '';
    const { code, stderr } = await runCli(['render', '-'], { input: xr });
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
  });
});

describe('ARCHITECTURE.md', () => {
  it('gives a reason for each runtime dependency', () => {
    const { dependencies } = JSON.parse(readFileSync(projectFile('package.json'), 'utf8')) as {
      dependencies: { readonly [name: string]: string };
    };
    const text = readFileSync(projectFile('ARCHITECTURE.md'), 'utf8');
    const rows = text.slice(text.indexOf('## Runtime dependencies')).split('\n## ')[0] ?? '';
    const named = rows
      .split('\n')
      .flatMap((row) => [...(row.split(' | ')[0] ?? '').matchAll(/`([^`]+)`/gu)])
      .map((match) => match[1] ?? '');
    assert.deepEqual([...named].sort(), Object.keys(dependencies).sort());
  });
});

describe('every document', () => {
  it('links to files that exist', () => {
    const documents = [
      ...readdirSync(projectFile()).filter((name) => name.endsWith('.md')),
      ...readdirSync(projectFile('docs')).map((name) => join('docs', name)),
    ];
    const broken = documents.flatMap((document) =>
      [...readFileSync(projectFile(document), 'utf8').matchAll(/\]\((?!https?:|#)([^)#]+)/gu)]
        .map((match) => match[1] ?? '')
        .filter((target) => !existsSync(projectFile(dirname(document), target)))
        .map((target) => `${document}: ${target}`),
    );
    assert.deepEqual(broken, []);
  });
});
