// A case of `celld-stack test`: what is rendered with what, and what is expected of it.
import type { JsonObject } from '../../core/json.ts';
import { type Expectation, type Refusal, readExpectation, readRefusal } from './expectation.ts';
import { type CaseProblem, type Reader, reader } from './reader.ts';

/** What is printed beside the documents of a render. */
const INCLUDES = ['results', 'full-xr', 'context'] as const;

type Include = (typeof INCLUDES)[number];

export interface TestCase {
  /** One line: what the case shows. */
  readonly why: string;
  /** Paths relative to the folder of the case; absent ones have defaults. */
  readonly files: {
    readonly xr: string | undefined;
    readonly observed: readonly string[] | undefined;
    readonly required: readonly string[] | undefined;
    readonly composition: string | undefined;
    readonly functions: readonly string[];
    readonly xrd: string | undefined;
  };
  readonly context: JsonObject;
  readonly include: readonly Include[];
  readonly expect: readonly Expectation[];
  /** The problems the XR is refused with; absent when it is not to be refused. */
  readonly refused: readonly Refusal[] | undefined;
}

/** Reads the value of a case.yaml. Gives its problems instead when it is none. */
export function readTestCase(value: unknown): TestCase | readonly CaseProblem[] {
  const problems: CaseProblem[] = [];
  const root = reader(value, [], problems);
  root.only([
    'why',
    'xr',
    'observed',
    'required',
    'composition',
    'functions',
    'xrd',
    'context',
    'include',
    'expect',
    'refused',
  ]);
  const testCase: TestCase = {
    why: root.string('why') ?? root.missing('why', 'one line that says what the case shows'),
    files: {
      xr: root.string('xr'),
      observed: root.strings('observed'),
      required: root.strings('required'),
      composition: root.string('composition'),
      functions: root.strings('functions') ?? [],
      xrd: root.string('xrd'),
    },
    context: root.object('context') ?? {},
    include: (root.strings('include') ?? ['results']).map((one) => include(root, one)),
    expect: root.items('expect').map(readExpectation),
    refused: root.has('refused') ? root.items('refused').map(readRefusal) : undefined,
  };
  if (testCase.refused !== undefined && testCase.expect.length > 0)
    root.wrong(['expect'], 'Forbidden: an XR that is refused has no documents');
  return problems.length > 0 ? problems : testCase;
}

function include(root: Reader, text: string): Include {
  const found = INCLUDES.find((one) => one === text);
  if (found === undefined) root.unsupported(['include'], text, INCLUDES);
  return found ?? 'results';
}
