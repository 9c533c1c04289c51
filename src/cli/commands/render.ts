import type { Command } from '../command.ts';
import type { OwnFunctions } from '../own-stack.ts';

/**
 * The render command over the functions that run in this process. Imported when it runs, so that
 * help and the other commands do not wait for it.
 */
export function renderCommand(own: () => Promise<OwnFunctions>): Command {
  return {
    name: 'render',
    usage: '[XR…] | XR COMPOSITION [FUNCTIONS]',
    summary: 'Print what Crossplane would compose for an XR, without Docker and without a cluster',
    about: `XRs are files, folders of files, or - for standard input; without any, every example is
rendered. An XR is checked first, as an API server would, and nothing is printed to standard output
when anything is wrong.

With a Composition, and a file or folder of Functions, any pipeline is rendered whose functions run
as Development runtimes (annotation render.crossplane.io/runtime: Development). Our own function
needs none: it runs in this process.`,
    maxPositionals: Number.POSITIVE_INFINITY,
    options: [
      {
        name: 'observed-resources',
        short: 'o',
        value: 'PATH',
        help: 'file or folder of composed resources that exist',
      },
      {
        name: 'required-resources',
        short: 'e',
        value: 'PATH',
        multiple: true,
        help: 'file or folder of resources that functions may ask for',
      },
      {
        name: 'extra-resources',
        value: 'PATH',
        multiple: true,
        hidden: true,
        help: 'old name of --required-resources',
      },
      {
        name: 'required-schemas',
        short: 's',
        value: 'DIR',
        help: 'folder of OpenAPI v3 documents that functions may ask for',
      },
      { name: 'include-full-xr', short: 'x', help: 'print the whole XR, not only its status' },
      { name: 'include-function-results', short: 'r', help: 'print events as kind: Result' },
      { name: 'include-context', short: 'c', help: 'print the context as kind: Context' },
      { name: 'xrd', value: 'FILE', help: 'the XRD that checks the XR and fills in its defaults' },
      {
        name: 'context-files',
        value: 'KEY=PATH',
        multiple: true,
        help: 'put the YAML of a file into the context',
      },
      {
        name: 'context-values',
        value: 'KEY=YAML',
        multiple: true,
        help: 'put a value into the context, before --context-files',
      },
      {
        name: 'function-credentials',
        value: 'PATH',
        help: 'file or folder of Secrets that pipeline steps name',
      },
      {
        name: 'function-annotations',
        short: 'a',
        value: 'KEY=VALUE',
        multiple: true,
        help: 'set an annotation on every Function',
      },
      { name: 'timeout', value: 'TIME', default: '1m', help: 'how long functions may take' },
      {
        name: 'output',
        value: 'FORMAT',
        default: 'yaml',
        oneOf: ['yaml', 'json'],
        help: 'yaml, or json for one list of all documents',
      },
    ],
    run: async (args, terminal) => {
      const { runRender } = await import('../render/run-render.ts');
      return runRender(args, terminal, await own());
    },
  };
}

/** `celld-stack render`. */
export const render: Command = renderCommand(
  async () => (await import('../own-stack.ts')).ownFunctions,
);
