// What a build publishes, in the order it must be pushed: whatever names another by digest comes after it.
import { ARTIFACTS, type Artifacts } from '../compose/artifacts.ts';
import { printYamlStream } from '../manifests/yaml.ts';
import type { PackedChart } from './content/chart.ts';
import { type Image, type ImageIndex, image, imageIndex, type Layer } from './oci/image.ts';
import type { Bundle } from './runtime/bundle.ts';
import type { Bases } from './runtime/resolve-base.ts';
import { packageLayer, programLayer, runtimeImage, stampLayer } from './runtime/runtime-image.ts';
import type { Sources } from './sources.ts';

/** Something to be pushed. */
export interface Publication {
  readonly what: 'chart' | 'runtime' | 'function' | 'configuration';
  /** Where: registry, repository and tag. */
  readonly reference: string;
  readonly content: Image | ImageIndex;
}

export interface PublicationOptions {
  readonly registry: string | undefined;
  readonly commit: string;
}

/** Everything to be published, stamped with where the rest of it is. */
export async function assemble(
  options: PublicationOptions,
  sources: Sources,
  chart: PackedChart,
  bases: Bases,
  bundle: Bundle,
): Promise<Publication[]> {
  const { locations, version } = sources;
  const annotations = {
    'org.opencontainers.image.source': 'https://github.com/hops-ops/celld-stack',
    'org.opencontainers.image.licenses': 'Apache-2.0',
    'org.opencontainers.image.version': version,
    ...(options.commit === '' ? {} : { 'org.opencontainers.image.revision': options.commit }),
  };
  const packageYaml = await packageLayer(
    'package.yaml',
    printYamlStream([sources.functionMetadata.object]),
    'base',
  );
  const images = async (artifacts: Artifacts, more: readonly Layer[]): Promise<ImageIndex> => {
    const stamp = await stampLayer({ version, commit: options.commit, artifacts });
    const made = [...bases].map(async ([architecture, base]) => {
      const program = await programLayer(bundle, base.node);
      const platform = { os: 'linux', architecture };
      return runtimeImage(base, [program, stamp, ...more], platform, annotations);
    });
    return imageIndex(await Promise.all(made), annotations);
  };
  const plain = locate(options, sources);
  // The image that the chart's init container runs. It cannot name its own digest, so it is one by itself:
  // the function's without the package, every large layer shared.
  const runtime = await images(plain, []);
  const stamped =
    options.registry === undefined
      ? plain
      : {
          chart: { ...plain.chart, digest: chart.artifact.manifest.digest },
          image: { ...plain.image, digest: runtime.manifest.digest },
        };
  const tag = `v${version}`;
  return [
    {
      what: 'chart',
      reference: `${locations.charts}/${sources.chart.name}:${sources.chart.version.replaceAll('+', '_')}`,
      content: chart.artifact,
    },
    // No version in its name comes first, or Crossplane would take it for a version of the package.
    { what: 'runtime', reference: `${locations.function}:runtime-${tag}`, content: runtime },
    {
      what: 'function',
      reference: `${locations.function}:${tag}`,
      content: await images(stamped, [packageYaml]),
    },
    {
      what: 'configuration',
      reference: `${locations.configuration}:${tag}`,
      content: await configurationImage(sources, annotations),
    },
  ];
}

function locate(
  { registry }: PublicationOptions,
  { locations, version, chart }: Sources,
): Artifacts {
  if (registry === undefined) return ARTIFACTS;
  return {
    chart: { repository: `oci://${locations.charts}`, name: chart.name, version: chart.version },
    image: { repository: locations.function, tag: `v${version}` },
  };
}

async function configurationImage(
  { configuration: { metadata, apis }, examples }: Sources,
  annotations: { readonly [key: string]: string },
): Promise<Image> {
  const objects = [metadata, ...apis].map(({ object }) => object);
  const layers = [await packageLayer('package.yaml', printYamlStream(objects), 'base')];
  if (examples.length > 0) {
    const text = printYamlStream(examples.map(({ object }) => object));
    layers.push(await packageLayer('.up/examples.yaml', text, 'upbound'));
  }
  return image({ layers, annotations });
}
