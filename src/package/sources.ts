// What a package is built from, read from the source tree and held to every rule before anything is written.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ARTIFACTS } from '../compose/artifacts.ts';
import { formatFieldPath } from '../core/field-path.ts';
import { type Problem, ProblemError } from '../core/problem.ts';
import { loadManifests, type Manifest, readText } from '../manifests/load.ts';
import { kindCatalog } from '../schema/kind-catalog.ts';
import { type Chart, readChart, stampChart } from './content/chart.ts';
import {
  checkConfiguration,
  type PackageSources,
  stampConfiguration,
} from './content/configuration.ts';
import { checkMetadata } from './content/metadata.ts';
import { parseReference } from './registry/reference.ts';

/** Where the parts of a package are published. */
export interface Locations {
  readonly configuration: string;
  readonly function: string;
  /** The repository of charts, without scheme and without the chart's name. */
  readonly charts: string;
}

export interface Sources {
  readonly version: string;
  readonly locations: Locations;
  readonly configuration: PackageSources;
  readonly functionMetadata: Manifest;
  readonly examples: readonly Manifest[];
  readonly chart: Chart;
}

/** The locations under a registry and a folder, `ghcr.io/hops-ops`. */
export function locationsIn(registry: string): Locations {
  return {
    configuration: `${registry}/celld-stack`,
    function: `${registry}/function-celld-stack`,
    charts: `${registry}/charts`,
  };
}

/** Where the source tree says everything is. */
export const HOME: string = ARTIFACTS.image.repository.replace(/\/[^/]+$/u, '');

/**
 * Reads the source tree of a package for a registry. Throws a ProblemError with everything that would
 * keep the package from being installed.
 */
export function readSources(root: string, version: string, registry: string): Sources {
  const locations = locationsIn(registry);
  for (const location of Object.values(locations)) parseReference(location);
  const [metadata, functionMetadata] = [metadataIn(root, 'package'), metadataIn(root, 'function')];
  const apis = loadManifests([join(root, 'apis')], { recursive: true });
  const examples = join(root, 'examples', 'celldstacks');
  const sources: Sources = {
    version,
    locations,
    functionMetadata,
    configuration: stampConfiguration(
      { metadata, apis },
      ARTIFACTS.image.repository,
      locations.function,
    ),
    examples: existsSync(examples) ? loadManifests([examples]) : [],
    chart: stampChart(
      readChart(join(root, 'charts', ARTIFACTS.chart.name)),
      ARTIFACTS.image.repository,
      locations.function,
    ),
  };
  const problems = [
    ...checkVersions(sources),
    ...checkChangelog(root, version),
    ...checkPackages(root, sources),
  ];
  if (problems.length > 0) throw new ProblemError(problems);
  return sources;
}

function metadataIn(root: string, folder: string): Manifest {
  const file = join(root, folder, 'crossplane.yaml');
  const [first, ...more] = loadManifests([file]);
  if (first !== undefined && more.length === 0) return first;
  throw new ProblemError([
    {
      code: 'PACKAGE_METADATA',
      path: '',
      message: `found ${more.length === 0 ? 'no document' : `${more.length + 1} documents`}: expected exactly one`,
      place: { file },
    },
  ]);
}

function checkPackages(
  root: string,
  { configuration, functionMetadata, locations, version }: Sources,
): Problem[] {
  const { metadata } = configuration;
  const lint = (manifest: Manifest, kind: 'Configuration' | 'Function', location: string) =>
    checkMetadata(manifest.object, kind, parseReference(location).repository).map((problem) => ({
      ...problem,
      place: { file: manifest.file },
    }));
  return [
    ...lint(metadata, 'Configuration', locations.configuration),
    ...lint(functionMetadata, 'Function', locations.function),
    ...checkConfiguration(configuration, locations.function, version),
    ...checkFields(root, [metadata, functionMetadata, ...configuration.apis]),
  ];
}

/** What the kinds' own schemas refuse: above all unknown fields, which Crossplane drops without a word. */
function checkFields(root: string, manifests: readonly Manifest[]): Problem[] {
  const kinds = kindCatalog(join(root, 'schemas', 'kinds'));
  return manifests.flatMap(({ object, placeOf }) => {
    const findings = kinds(object.apiVersion, object.kind)?.check(object) ?? [];
    return findings.map(({ code, path, message }) => ({
      code,
      path: formatFieldPath(path),
      message,
      place: placeOf(path),
    }));
  });
}

/** The version stands in package.json; what repeats it must agree. */
function checkVersions({ version, chart }: Sources): Problem[] {
  const wrong = (message: string): Problem => ({ code: 'PACKAGE_VERSION', path: '', message });
  const problems: Problem[] = [];
  if (!/^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?$/u.test(version)) {
    problems.push(
      wrong(
        `the version ${JSON.stringify(version)} cannot be a tag: expected a semantic version without build metadata`,
      ),
    );
  }
  if (ARTIFACTS.image.tag !== `v${version}`) {
    problems.push(
      wrong(
        `src/compose/artifacts.ts has the image's tag ${ARTIFACTS.image.tag}: package.json says ${version}`,
      ),
    );
  }
  if (ARTIFACTS.chart.name !== chart.name || ARTIFACTS.chart.version !== chart.version) {
    problems.push(
      wrong(
        `src/compose/artifacts.ts has the chart ${ARTIFACTS.chart.name} ${ARTIFACTS.chart.version}: Chart.yaml says ${chart.name} ${chart.version}`,
      ),
    );
  }
  return problems;
}

function checkChangelog(root: string, version: string): Problem[] {
  if (hasChangelogEntry(root, version) || hasChangelogEntry(root, 'Unreleased')) return [];
  return [
    {
      code: 'PACKAGE_VERSION',
      path: '',
      message: `CHANGELOG.md says nothing about ${version}: expected a heading "## ${version}" or "## Unreleased" and what changed under it`,
    },
  ];
}

/** Whether CHANGELOG.md has a heading for a version with at least one point under it. */
export function hasChangelogEntry(root: string, version: string): boolean {
  const sections = readText(join(root, 'CHANGELOG.md')).split(/^## /mu).slice(1);
  return sections.some((section) => {
    const [heading = '', ...lines] = section.split('\n');
    const named = heading.replace(/^\[([^\]]*)\].*$/u, '$1').split(/[\s(]/u)[0];
    return named === version && lines.some((line) => /^[-*] \S/u.test(line));
  });
}
