// From the output of a build to a registry: what the build stamped is what is pushed, in the order in
// which the parts name each other, and no version is ever replaced by another content.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Json, listAt, stringAt } from '../core/json.ts';
import { refuse } from '../core/problem.ts';
import { readText } from '../manifests/load.ts';
import { type BuildReport, LAYOUT, REPORT } from './build.ts';
import { type Blob, digestOf } from './oci/blob.ts';
import type { Image, ImageIndex } from './oci/image.ts';
import { blobPath } from './oci/layout.ts';
import type { Publication } from './publications.ts';
import { isPrivateHost } from './registry/auth.ts';
import { connect, type RegistryClient } from './registry/client.ts';
import { findDigest } from './registry/pull.ts';
import { pushContent } from './registry/push.ts';
import { parseReference } from './registry/reference.ts';
import { hasChangelogEntry } from './sources.ts';

export interface PublishOptions {
  readonly root: string;
  /** The output folder of a build. */
  readonly output: string;
  /** The registry that is meant; absent, the one the build was for. */
  readonly registry: string | undefined;
  /** Further repositories of the registry that may have the large layers. */
  readonly mountFrom: readonly string[];
  /** Replace a version that is there with another content. */
  readonly force: boolean;
  readonly connect?: (registry: string) => Promise<RegistryClient>;
}

export interface Published {
  readonly what: Publication['what'];
  readonly reference: string;
  readonly digest: string;
  readonly sent: number;
  readonly kept: number;
}

/**
 * Pushes everything a build made; `told` hears of each part as it is there. Throws a ProblemError, and
 * then nothing that the rest needs is missing from what was pushed before.
 */
export async function publish(
  options: PublishOptions,
  told: (published: Published) => void,
): Promise<void> {
  const report = readReport(options);
  const publications = report.publications.map(({ what, reference, digest }) => ({
    what,
    reference,
    content: contentOf(join(options.output, LAYOUT), digest),
  }));
  const { registry } = parseReference(publications[0]?.reference ?? '');
  if (!isPrivateHost(registry) && !hasChangelogEntry(options.root, report.version)) {
    refuse(
      'PACKAGE_VERSION',
      `CHANGELOG.md has no heading for ${report.version}: expected "## ${report.version}" before it is published`,
    );
  }
  const client = await (options.connect ?? connect)(registry);
  const there = await Promise.all(publications.map((one) => standing(client, one, options.force)));
  const repositories = publications.map(({ reference }) => parseReference(reference).repository);
  for (const [index, publication] of publications.entries()) {
    const { repository, tag = '' } = parseReference(publication.reference);
    const { digest } = publication.content.manifest;
    const known = repositories.slice(0, index).filter((one) => one !== repository);
    const target = {
      client,
      repository,
      mountFrom: [...new Set([...options.mountFrom, ...known])],
    };
    const pushed =
      there[index] === digest
        ? { sent: 0, kept: 0 }
        : await pushContent(target, publication.content, tag);
    told({ what: publication.what, reference: publication.reference, digest, ...pushed });
  }
}

/** The digest a tag has already. Throws REGISTRY_CONFLICT when it is another one and must not be replaced. */
async function standing(
  client: RegistryClient,
  { reference, content }: Pick<Publication, 'reference' | 'content'>,
  force: boolean,
): Promise<string | undefined> {
  const { repository, tag = '' } = parseReference(reference);
  const found = await findDigest(client, repository, tag);
  if (found === undefined || found === content.manifest.digest || force) return found;
  return refuse(
    'REGISTRY_CONFLICT',
    `${reference} is there already with another content (${found}): clusters know a version by its name alone`,
    { hint: 'Raise the version, or replace what is there with --force when nobody uses it.' },
  );
}

function readReport({ output, registry }: PublishOptions): BuildReport {
  const file = join(output, REPORT);
  if (!existsSync(file)) {
    return refuse('FILE_UNREADABLE', `there is no build in ${output}`, {
      hint: 'Build first: celld-stack build --registry REGISTRY.',
    });
  }
  const report = JSON.parse(readText(file)) as BuildReport;
  if (report.registry === '') {
    return refuse(
      'REGISTRY_CONFLICT',
      'the build was made for no registry: its parts do not name each other',
      {
        hint: 'Build for the registry: celld-stack build --registry REGISTRY.',
      },
    );
  }
  if (registry !== undefined && registry !== report.registry) {
    return refuse(
      'REGISTRY_CONFLICT',
      `the build was made for ${report.registry}: it cannot be pushed to ${registry}`,
      {
        hint: `Build for the registry: celld-stack build --registry ${registry}.`,
      },
    );
  }
  return report;
}

/** An image or an index out of the layout, every blob held against its digest. */
function contentOf(layout: string, digest: string): Image | ImageIndex {
  const document = JSON.parse(Buffer.from(bytesOf(layout, digest)).toString('utf8')) as Json;
  const manifest = blobOf(layout, digest, stringAt(document, 'mediaType') ?? '');
  const children = listAt(document, 'manifests');
  if (children.length > 0) {
    const images = children.map((child) => contentOf(layout, stringAt(child, 'digest') ?? ''));
    return { manifest, images: images.filter((one) => 'layers' in one) };
  }
  const described = (descriptor: Json | undefined) =>
    blobOf(layout, stringAt(descriptor, 'digest') ?? '', stringAt(descriptor, 'mediaType') ?? '');
  return {
    manifest,
    config: described((document as { config?: Json }).config),
    layers: listAt(document, 'layers').map((layer) => ({ blob: described(layer), diffId: '' })),
    platform: { os: '', architecture: '' },
  };
}

function blobOf(layout: string, digest: string, mediaType: string): Blob {
  return { mediaType, digest, bytes: bytesOf(layout, digest) };
}

function bytesOf(layout: string, digest: string): Uint8Array {
  const file = join(layout, blobPath(digest));
  const bytes = existsSync(file) ? readFileSync(file) : new Uint8Array();
  if (digestOf(bytes) !== digest) {
    return refuse('FILE_UNREADABLE', `${file} is missing or not what the build wrote`, {
      hint: 'Build again.',
    });
  }
  return bytes;
}
