// Names of images: `registry/repository:tag@sha256:…`.
import { refuse } from '../../core/problem.ts';

export interface Reference {
  readonly registry: string;
  readonly repository: string;
  readonly tag?: string;
  readonly digest?: string;
}

const DIGEST = /^sha256:[0-9a-f]{64}$/u;
const TAG = /^\w[\w.-]{0,127}$/u;
const REGISTRY = /^(?:[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:]+\])(?::\d{1,5})?$/iu;
const REPOSITORY =
  /^[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*)*$/u;

/** Reads a reference that names its registry. Throws an IMAGE_REFERENCE problem for anything else. */
export function parseReference(text: string): Reference {
  const [named, digest] = splitOnce(text, '@');
  const slash = named.indexOf('/');
  const registry = named.slice(0, Math.max(slash, 0));
  const [repository, tag] = splitOnce(named.slice(slash + 1), ':');
  const wrong = [
    slash < 0 || !isRegistry(registry) ? 'names no registry' : undefined,
    complaint('repository', repository, REPOSITORY),
    complaint('tag', tag, TAG),
    complaint('digest', digest, DIGEST),
  ].find((one) => one !== undefined);
  if (wrong !== undefined) {
    return refuse(
      'IMAGE_REFERENCE',
      `${JSON.stringify(text)} ${wrong}: expected registry/repository, such as ghcr.io/hops-ops/celld-stack:v1.2.3`,
    );
  }
  return {
    registry,
    repository,
    ...(tag === undefined ? {} : { tag }),
    ...(digest === undefined ? {} : { digest }),
  };
}

function complaint(what: string, text: string | undefined, form: RegExp): string | undefined {
  if (text === undefined || form.test(text)) return undefined;
  return `has ${JSON.stringify(text)} for its ${what}`;
}

/** A first component counts as a registry when it cannot be a folder: it has a dot, a port, or is localhost. */
function isRegistry(text: string): boolean {
  return REGISTRY.test(text) && (/[.:]/u.test(text) || text === 'localhost');
}

function splitOnce(text: string, separator: string): [string, string | undefined] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

/** The text of a reference. */
export function formatReference(reference: Reference): string {
  const tag = reference.tag === undefined ? '' : `:${reference.tag}`;
  const digest = reference.digest === undefined ? '' : `@${reference.digest}`;
  return `${reference.registry}/${reference.repository}${tag}${digest}`;
}

/** True for a digest as registries write it. */
export function isDigest(text: string): boolean {
  return DIGEST.test(text);
}

/**
 * The name Crossplane gives the object of a package that it installs as a dependency: its repository
 * without the registry as a DNS label (ToDNSLabel of crossplane-runtime's pkg/xpkg/name.go). Crossplane
 * cuts it at 63 characters; here it is whole, so that a caller can refuse it.
 */
export function packageObjectName(repository: string): string {
  return repository
    .replaceAll(/[./:-]/gu, '-')
    .replaceAll(/[^a-z0-9-]/gu, '')
    .replaceAll(/^-+|-+$/gu, '');
}
