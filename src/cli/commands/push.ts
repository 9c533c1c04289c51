import type { Arguments, Command } from '../command.ts';
import { BUILD_OUTPUT, projectFile } from '../project.ts';
import type { Terminal } from '../terminal.ts';

/** `celld-stack push`: what build made for a registry, into it. */
export const push: Command = {
  name: 'push',
  usage: '',
  summary: 'Push what build made to the registry it was made for',
  about: `Credentials come from the Docker configuration and its credential helpers. What the registry has is not
sent again; what breaks off goes on where it stopped. Each part is printed with its digest when it is there.
Plain HTTP is spoken to this machine and to private networks only.`,
  options: [
    {
      name: 'registry',
      value: 'REGISTRY',
      help: 'refuse to push a build that was made for another registry',
    },
    {
      name: 'output',
      short: 'o',
      value: 'DIR',
      help: `folder of the build (default ${BUILD_OUTPUT})`,
    },
    {
      name: 'mount-from',
      value: 'REPOSITORY',
      multiple: true,
      help: 'take layers from this repository of the registry where it has them',
    },
    { name: 'force', help: 'replace a version that is there with another content' },
  ],
  run: runPush,
};

async function runPush(args: Arguments, terminal: Terminal): Promise<number> {
  const { publish } = await import('../../package/publish.ts');
  const registry = args.option('registry');
  await publish(
    {
      root: projectFile(),
      output: args.option('output') ?? projectFile(BUILD_OUTPUT),
      registry:
        registry === undefined || registry === '' ? undefined : registry.replace(/\/+$/u, ''),
      mountFrom: args.options('mount-from'),
      force: args.flag('force'),
    },
    ({ what, reference, digest, sent, kept }) => {
      terminal.out(`${what} ${reference}@${digest}\n`);
      terminal.err(`sent ${sent} bytes, ${kept} were there\n`);
    },
  );
  return 0;
}
