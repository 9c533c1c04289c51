import type { Command } from '../command.ts';

/** `celld-stack validate`. Imported when it runs, like render. */
export const validate: Command = {
  name: 'validate',
  usage: '[[EXTENSIONS] RESOURCES]',
  summary: 'Say whether an API server with Crossplane and the providers would accept resources',
  about: `EXTENSIONS and RESOURCES are files and folders, or - for standard input, separated by commas.
Extensions are CRDs and XRDs beside those that celld-stack knows: its own, Crossplane's, and those of
the providers it composes. Nothing is downloaded.

Without arguments everything of celld-stack itself is checked: the examples, what they compose at
each observed step, the XRD, the Composition, the package metadata, the chart's objects.`,
  maxPositionals: 2,
  options: [
    {
      name: 'previous',
      short: 'p',
      value: 'PATH',
      multiple: true,
      help: 'what the resources were before: transition rules are checked as well',
    },
    {
      name: 'output',
      short: 'o',
      value: 'FORMAT',
      default: 'text',
      oneOf: ['text', 'json', 'yaml'],
      help: 'text, json or yaml',
    },
    { name: 'error-on-missing-schemas', help: 'exit with 1 when a kind is not known' },
    { name: 'skip-success-results', help: 'do not print what is valid' },
    { name: 'fix-hint', help: 'print after each error what to do' },
    // Options of the official tool about what it downloads.
    { name: 'cache-dir', value: 'DIR', hidden: true, help: '' },
    { name: 'clean-cache', hidden: true, help: '' },
    { name: 'update-cache', hidden: true, help: '' },
    { name: 'crossplane-image', value: 'IMAGE', hidden: true, help: '' },
  ],
  run: async (args, terminal) => {
    const { runValidate } = await import('../validate/run-validate.ts');
    return runValidate(args, terminal);
  },
};
