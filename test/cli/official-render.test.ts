// The recorded runs of the official tool, each through our render command with the same arguments.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { parseArguments } from '../../src/cli/command.ts';
import { renderCommand } from '../../src/cli/commands/render.ts';
import { projectFile } from '../../src/cli/project.ts';
import { type Json, listAt, numberAt, sortKeys, stringAt } from '../../src/core/json.ts';
import { ProblemError } from '../../src/core/problem.ts';
import { parseYaml } from '../../src/manifests/yaml.ts';
import { cannedFunction } from '../support/canned-function.ts';
import { memoryTerminal } from '../support/memory-terminal.ts';

const FOLDER = projectFile('test', 'data', 'official-render');

/** Where ours does better, by case: what it does instead, and why. */
const DIFFERENT: { readonly [name: string]: { readonly why: string; readonly problems: Json } } = {
  'two-with-one-name': {
    why: 'the official tool prints two documents for one object; in a cluster each would undo the other',
    problems: [['COMPOSED_DUPLICATE', '']],
  },
  'xrd-invalid-not-refused': {
    why: 'the official tool renders an XR that no API server would accept',
    problems: [
      ['FIELD_INVALID', 'spec.replicaCount'],
      ['FIELD_UNKNOWN', 'spec.bogus'],
    ],
  },
};

/** Where both refuse: the code of ours. */
const REFUSED: { readonly [name: string]: Json } = {
  fatal: [['FUNCTION_FATAL', '']],
  'invalid-name': [['COMPOSED_NAME', '']],
  'observed-other-namespace': [['OBSERVED_RESOURCE', 'metadata.namespace']],
  'observed-owned-by-another': [['OBSERVED_RESOURCE', 'metadata.ownerReferences']],
  'wrong-kind': [['XR_MISSING', 'kind']],
};

const command = renderCommand(
  async () => (name) => (name === 'canned' ? cannedFunction : undefined),
);

describe('render, as the official tool', () => {
  const cases = readdirSync(FOLDER).filter((name) => existsSync(join(FOLDER, name, 'case.yaml')));

  it('has all recorded cases', () => {
    assert.equal(cases.length, 32);
  });

  for (const name of cases) {
    const file = (part: string) => join(FOLDER, name, part);
    const [recorded] = documentsOf(readFileSync(file('case.yaml'), 'utf8'));
    it(`${name}: ${stringAt(recorded, 'why')}`, async () => {
      const given = listAt(recorded, 'args').map(String);
      const args = given.map((arg) => (arg.endsWith('.yaml') ? file(arg) : arg));
      const terminal = memoryTerminal();
      const problems = await run([file('xr.yaml'), file('composition.yaml'), ...args], terminal);
      const wanted = DIFFERENT[name]?.problems ?? REFUSED[name] ?? [];
      assert.deepEqual(problems, wanted);
      if (DIFFERENT[name] === undefined)
        assert.equal(numberAt(recorded, 'exit') ?? 0, problems.length > 0 ? 1 : 0);
      const expected = problems.length > 0 ? '' : readFileSync(file('stdout.yaml'), 'utf8');
      assert.deepEqual(comparable(terminal.stdout()), comparable(expected));
    });
  }
});

async function run(
  argv: readonly string[],
  terminal: ReturnType<typeof memoryTerminal>,
): Promise<readonly (readonly [string, string])[]> {
  try {
    await command.run(parseArguments(command, argv), terminal);
    return [];
  } catch (error) {
    if (error instanceof ProblemError) return error.problems.map(({ code, path }) => [code, path]);
    throw error;
  }
}

function documentsOf(text: string): readonly Json[] {
  const { documents, problems } = parseYaml(text, 'recorded');
  assert.deepEqual(problems, []);
  return documents.map(({ value }) => value);
}

/** The official tool tells of unready resources in the order of a Go map, which is random. */
function comparable(text: string): readonly Json[] {
  const documents = documentsOf(text);
  const isUnready = (one: Json) => /is not yet ready$/u.test(stringAt(one, 'message') ?? '');
  return [
    ...documents.filter((one) => !isUnready(one)),
    ...documents
      .filter(isUnready)
      .map((one) => JSON.stringify(sortKeys(one)))
      .sort(),
  ];
}
