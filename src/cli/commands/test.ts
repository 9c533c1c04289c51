import type { Command } from '../command.ts';

/** `celld-stack test`. Imported when it runs, like render. */
export const test: Command = {
  name: 'test',
  usage: '[FOLDER…]',
  summary: 'Render XRs and compare the outcome with what is expected of it',
  about: `A case is a folder with a case.yaml, an XR, optional observed and required resources, and what is
expected: whole documents in expected.yaml, or assertions in case.yaml. Cases are found in the given
folders and all folders beneath; without any, those of celld-stack itself are run. docs/testing.md
shows how to write one.`,
  maxPositionals: Number.POSITIVE_INFINITY,
  options: [
    {
      name: 'filter',
      value: 'TEXT',
      multiple: true,
      help: 'run only cases with this text in their path',
    },
    { name: 'update', help: 'write what is rendered into expected.yaml' },
    { name: 'junit', value: 'FILE', help: 'write a JUnit report as well' },
    { name: 'timeout', value: 'TIME', default: '1m', help: 'how long functions may take' },
  ],
  run: async (args, terminal) => {
    const { runTest } = await import('../test/run-test.ts');
    const { ownFunctions } = await import('../own-stack.ts');
    return runTest(args, terminal, { own: ownFunctions, ci: process.env['CI'] });
  },
};
