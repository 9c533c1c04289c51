import type { Arguments, Command } from '../command.ts';
import { BUILD_OUTPUT, projectFile } from '../project.ts';
import { release } from '../release.ts';
import type { Terminal } from '../terminal.ts';

/** `celld-stack build`: everything a cluster installs, out of the source tree. */
export const build: Command = {
  name: 'build',
  usage: '',
  summary: 'Build the packages, the image and the chart, without Docker',
  about: `Writes into the output folder: the Configuration and Function packages (.xpkg), the chart (.tgz),
an OCI layout of all that push sends, a bill of materials, SHA256SUMS and a build report. Two builds of
one commit give the same bytes. Nothing is written before everything was checked.`,
  options: [
    {
      name: 'registry',
      value: 'REGISTRY',
      help: 'stamp this registry and folder, such as ghcr.io/hops-ops, and the digests of chart and image',
    },
    {
      name: 'base',
      value: 'BASE',
      default: 'assembled',
      help: 'what the image stands on: assembled, an OCI layout, a docker archive, or IMAGE@sha256:…',
    },
    {
      name: 'output',
      short: 'o',
      value: 'DIR',
      help: `folder to write to (default ${BUILD_OUTPUT})`,
    },
    { name: 'record-chart', help: "take the chart as it is for its version's content" },
  ],
  run: runBuild,
};

async function runBuild(args: Arguments, terminal: Terminal): Promise<number> {
  const [{ build: buildPackage }, { cacheFolder }] = await Promise.all([
    import('../../package/build.ts'),
    import('../../package/runtime/cache.ts'),
  ]);
  const registry = args.option('registry');
  const report = await buildPackage({
    ...release(),
    root: projectFile(),
    output: args.option('output') ?? projectFile(BUILD_OUTPUT),
    registry: registry === undefined || registry === '' ? undefined : registry.replace(/\/+$/u, ''),
    base: args.option('base') ?? 'assembled',
    cacheFolder: cacheFolder(),
    recordChart: args.flag('record-chart'),
  });
  for (const note of report.notes) terminal.err(`note: ${note}\n`);
  for (const { what, reference, digest, sizes } of report.publications) {
    const size = Object.entries(sizes).map(
      ([platform, bytes]) => `${platform} ${megabytes(bytes)}`,
    );
    terminal.out(`${what} ${reference}@${digest} (${size.join(', ')})\n`);
  }
  terminal.err(`built in ${report.seconds} s\n`);
  return 0;
}

function megabytes(bytes: number): string {
  return bytes < 100_000 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
