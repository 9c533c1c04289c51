import type { Arguments, Command } from '../command.ts';
import { projectFile } from '../project.ts';
import { release } from '../release.ts';
import type { Terminal } from '../terminal.ts';

/** `celld-stack install-manifests`: what a person applies to install the package. */
export const installManifests: Command = {
  name: 'install-manifests',
  usage: '',
  summary: 'Print the manifests that install the package of this version',
  about: `Prints, with a comment each: how the function runs, the Function, the Configuration, roles for people,
and as an example the ProviderConfigs for one target cluster and the role their identity needs there.`,
  options: [
    {
      name: 'registry',
      value: 'REGISTRY',
      help: 'where the package was pushed, such as ghcr.io/hops-ops',
    },
    {
      name: 'cluster-name',
      value: 'NAME',
      default: 'my-cluster',
      help: 'the clusterName that CelldStacks will have',
    },
    {
      name: 'namespace',
      short: 'n',
      value: 'NAME',
      default: 'default',
      help: 'the namespace of the CelldStacks',
    },
  ],
  run: printManifests,
};

async function printManifests(args: Arguments, terminal: Terminal): Promise<number> {
  const [{ installManifests: manifestsFor }, { HOME, readSources }, { printYaml }] =
    await Promise.all([
      import('../../package/install-manifests.ts'),
      import('../../package/sources.ts'),
      import('../../manifests/yaml.ts'),
    ]);
  const registry = args.option('registry');
  const sources = readSources(
    projectFile(),
    release().version,
    registry === undefined || registry === '' ? HOME : registry.replace(/\/+$/u, ''),
  );
  const manifests = manifestsFor(
    sources,
    args.option('cluster-name') ?? '',
    args.option('namespace') ?? '',
  );
  for (const { comment, object } of manifests) {
    terminal.out(`---\n${commentLines(comment)}${printYaml(object)}`);
  }
  return 0;
}

/** A comment of lines that fit a terminal. */
function commentLines(text: string): string {
  return text.replaceAll(/(.{1,96})(?:\s+|$)/gu, '# $1\n');
}
