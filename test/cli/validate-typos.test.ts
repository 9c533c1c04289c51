// One letter changed in a field name, anywhere in an example, the Composition or a composed object, is found,
// with its line.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { main } from '../../src/cli/main.ts';
import { ownXrd } from '../../src/cli/own-stack.ts';
import { projectFile } from '../../src/cli/project.ts';
import { judgeSets } from '../../src/cli/validate/judge-sets.ts';
import { knownKinds } from '../../src/cli/validate/kinds.ts';
import { isKubeObject } from '../../src/core/kube-object.ts';
import { parseYaml } from '../../src/manifests/yaml.ts';
import { memoryTerminal } from '../support/memory-terminal.ts';

const judges = {
  kinds: knownKinds([ownXrd().object]),
  previous: () => undefined,
  dependencies: new Map<string, string>(),
};

/** The lines of a text that something is found on; a document that is no resource at all is found whole. */
function faultyLines(text: string): readonly (number | undefined)[] {
  const { documents, problems } = parseYaml(text, 'file.yaml');
  if (problems.length > 0) return problems.map(({ place }) => place?.line);
  return documents.flatMap(({ value, placeOf }) => {
    if (!isKubeObject(value)) return [undefined];
    const subject = { object: value, source: 'file.yaml', placeOf };
    const [result] = judgeSets([{ subjects: [subject] }], judges);
    if (result?.status === 'missingSchema') return [undefined];
    return (result?.faults ?? []).filter(({ isNote }) => !isNote).map(({ place }) => place.line);
  });
}

/** Maps whose keys are no field names but a user's own. */
const FREE = ['labels', 'annotations', 'tags', 'matchLabels', 'nodeSelector', 'podLabels'];

interface KeyLine {
  readonly number: number;
  readonly indent: string;
  readonly key: string;
  readonly rest: string;
}

/** The lines of a document that begin with a field name. */
function keyLines(text: string): readonly KeyLine[] {
  const found: KeyLine[] = [];
  let blockIndent = Number.POSITIVE_INFINITY;
  for (const [index, line] of text.split('\n').entries()) {
    const {
      indent = '',
      key = '',
      rest = '',
    } = /^(?<indent>[ -]*)(?<key>[A-Za-z][\w]*):(?<rest>.*)$/u.exec(line)?.groups ?? {};
    if (line.trim() !== '' && line.search(/\S/u) <= blockIndent)
      blockIndent = Number.POSITIVE_INFINITY;
    if (key === '' || indent.length > blockIndent) continue;
    if (/[|>]-?$/u.test(rest) || FREE.includes(key)) blockIndent = line.search(/\S/u);
    found.push({ number: index + 1, indent, key, rest });
  }
  return found;
}

/** Texts with one letter changed in one field name, and the line it is on. */
function typos(text: string): readonly { readonly line: number; readonly text: string }[] {
  const lines = text.split('\n');
  return keyLines(text).map(({ number, indent, key, rest }) => {
    const at = number % key.length;
    const letter = key[at] === 'x' ? 'z' : 'x';
    const changed = `${indent}${key.slice(0, at)}${letter}${key.slice(at + 1)}:${rest}`;
    return { line: number, text: lines.with(number - 1, changed).join('\n') };
  });
}

function missed(text: string): readonly string[] {
  return typos(text)
    .filter((typo) => {
      const found = faultyLines(typo.text);
      return !found.includes(typo.line) && !found.includes(undefined);
    })
    .map((typo) => `${typo.line}: ${typo.text.split('\n')[typo.line - 1]}`);
}

async function rendered(...args: readonly string[]): Promise<string> {
  const terminal = memoryTerminal();
  await main(['render', '--include-full-xr', ...args], terminal);
  return terminal.stdout();
}

describe('validate', () => {
  for (const name of readdirSync(projectFile('examples', 'celldstacks'))) {
    it(`finds every changed letter in ${name}`, () => {
      const file = projectFile('examples', 'celldstacks', name);
      const [stack = ''] = readFileSync(file, 'utf8').split('\n---\n');
      assert.deepEqual(missed(stack), []);
    });
  }

  it('finds every changed letter in the Composition', () => {
    const file = projectFile('apis', 'celldstacks', 'composition.yaml');
    assert.deepEqual(missed(readFileSync(file, 'utf8')), []);
  });

  for (const [name, step] of [
    ['aws', '7-ready'],
    ['minimal', '5-ready'],
  ]) {
    it(`finds every changed letter in what ${name} composes`, async () => {
      const stream = await rendered(
        projectFile('examples', 'celldstacks', `${name}.yaml`),
        '--observed-resources',
        projectFile('examples', 'observed', `${name}`, `${step}.yaml`),
      );
      const documents = stream.split(/^---\n/mu).filter((text) => text !== '');
      assert.ok(documents.length > 4);
      assert.deepEqual(documents.flatMap(missed), []);
    });
  }
});
