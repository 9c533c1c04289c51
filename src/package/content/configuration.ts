// The documents of the Configuration package: its metadata and its APIs, pointed at the registry that
// everything is published to.
import semver from 'semver';
import { isObject, type Json, listAt, objectAt, stringAt, valueAt } from '../../core/json.ts';
import type { KubeObject } from '../../core/kube-object.ts';
import type { Problem } from '../../core/problem.ts';
import type { Manifest } from '../../manifests/load.ts';
import { packageObjectName, parseReference } from '../registry/reference.ts';
import { parseConstraint } from './metadata.ts';

/** What Crossplane reads from a package; anything else in it is an error at installation. */
const KINDS: { readonly [group: string]: readonly string[] } = {
  'apiextensions.crossplane.io': [
    'CompositeResourceDefinition',
    'Composition',
    'ManagedResourceActivationPolicy',
  ],
  'ops.crossplane.io': ['Operation', 'CronOperation', 'WatchOperation'],
};

/** The least version of a dependency that has every field we compose, and which field that is. */
const LEAST: readonly {
  readonly package: RegExp;
  readonly version: string;
  readonly why: string;
}[] = [
  { package: /\/provider-helm$/u, version: '1.3.0', why: 'Release spec.forProvider.chart.digest' },
  { package: /\/provider-kubernetes$/u, version: '1.0.0', why: 'the namespaced Object' },
  { package: /\/provider-aws-s3$/u, version: '2.6.0', why: 'the namespaced Bucket kinds' },
  { package: /\/aws-pod-identity$/u, version: '0.12.0', why: 'PodIdentity spec.providerConfigRef' },
];

export interface PackageSources {
  readonly metadata: Manifest;
  readonly apis: readonly Manifest[];
}

/** The sources with the function's repository replaced, in the metadata and in every Composition. */
export function stampConfiguration(
  { metadata, apis }: PackageSources,
  from: string,
  to: string,
): PackageSources {
  const [oldName, newName] = [from, to].map((text) =>
    packageObjectName(parseReference(text).repository),
  );
  return {
    metadata: { ...metadata, object: replaceStrings(metadata.object, from, to) as KubeObject },
    apis: apis.map((api) => ({
      ...api,
      object:
        api.object.kind === 'Composition'
          ? (replaceStrings(api.object, oldName ?? '', newName ?? '') as KubeObject)
          : api.object,
    })),
  };
}

/** Replaces strings that are exactly the given one. */
function replaceStrings(value: Json, from: string, to: string): Json {
  if (value === from) return to;
  if (Array.isArray(value)) return value.map((one: Json) => replaceStrings(one, from, to));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) => [key, replaceStrings(child, from, to)]),
  );
}

/** Everything wrong with how the parts of the package fit together. */
export function checkConfiguration(
  { metadata, apis }: PackageSources,
  functionRepository: string,
  version: string,
): readonly Problem[] {
  return [
    ...apis.flatMap(checkKind),
    ...checkParts(apis),
    ...checkFunctionRefs(apis, functionRepository),
    ...checkDependencies(metadata, functionRepository, version),
  ];
}

function checkKind(api: Manifest): Problem[] {
  const { apiVersion, kind } = api.object;
  if (KINDS[apiVersion.split('/')[0] ?? '']?.includes(kind) === true) return [];
  return [
    {
      code: 'PACKAGE_CONTENT',
      path: 'kind',
      message: `a Configuration cannot hold ${apiVersion} ${kind}: Crossplane refuses to install it`,
      place: api.placeOf(['kind']),
    },
  ];
}

/** A Composition must be for a kind that the package defines, or it would wait for ever. */
function checkParts(apis: readonly Manifest[]): Problem[] {
  const defined = apis
    .filter(({ object }) => object.kind === 'CompositeResourceDefinition')
    .flatMap(({ object }) =>
      listAt(object, 'spec', 'versions').map(
        (version) =>
          `${stringAt(object, 'spec', 'group')}/${stringAt(version, 'name')} ${stringAt(object, 'spec', 'names', 'kind')}`,
      ),
    );
  return apis
    .filter(({ object }) => object.kind === 'Composition')
    .flatMap((api): Problem[] => {
      const wanted = objectAt(api.object, 'spec', 'compositeTypeRef');
      const text = `${stringAt(wanted, 'apiVersion')} ${stringAt(wanted, 'kind')}`;
      if (defined.includes(text)) return [];
      const path = ['spec', 'compositeTypeRef'];
      return [
        {
          code: 'PACKAGE_CONTENT',
          path: path.join('.'),
          message: `the package defines no ${text}: it defines ${defined.join(', ')}`,
          place: api.placeOf(path),
        },
      ];
    });
}

function checkFunctionRefs(apis: readonly Manifest[], functionRepository: string): Problem[] {
  const wanted = packageObjectName(parseReference(functionRepository).repository);
  return apis.flatMap((api) =>
    listAt(api.object, 'spec', 'pipeline').flatMap((_, index): Problem[] => {
      const path = ['spec', 'pipeline', index, 'functionRef', 'name'];
      const found = valueAt(api.object, ...path);
      if (found === wanted) return [];
      return [
        {
          code: 'PACKAGE_CONTENT',
          path: `spec.pipeline[${index}].functionRef.name`,
          message: `Invalid value: ${JSON.stringify(found ?? '')}: must be ${wanted}, the name Crossplane gives ${functionRepository}`,
          place: api.placeOf(path),
        },
      ];
    }),
  );
}

function checkDependencies(
  metadata: Manifest,
  functionRepository: string,
  version: string,
): Problem[] {
  const dependencies = listAt(metadata.object, 'spec', 'dependsOn');
  const problems = dependencies.flatMap((dependency, index): Problem[] => {
    const [name, range] = [
      stringAt(dependency, 'package') ?? '',
      stringAt(dependency, 'version') ?? '',
    ];
    const complaint = rangeComplaint(name, range, functionRepository, version);
    if (complaint === undefined) return [];
    return [
      {
        code: 'PACKAGE_DEPENDENCY',
        path: `spec.dependsOn[${index}].version`,
        message: `Invalid value: ${JSON.stringify(range)}: ${complaint}`,
        place: metadata.placeOf(['spec', 'dependsOn', index, 'version']),
      },
    ];
  });
  if (dependencies.some((one) => stringAt(one, 'package') === functionRepository)) return problems;
  return [
    ...problems,
    {
      code: 'PACKAGE_DEPENDENCY',
      path: 'spec.dependsOn',
      message: `Required value: the function ${functionRepository}, or the Composition finds none`,
      place: metadata.placeOf(['spec', 'dependsOn']),
    },
  ];
}

function rangeComplaint(
  name: string,
  text: string,
  functionRepository: string,
  version: string,
): string | undefined {
  const range = parseConstraint(text);
  if (range === undefined) return undefined; // a digest, or refused with the metadata
  if (name === functionRepository) {
    return range.test(version) ? undefined : `must contain ${version}, the version of this package`;
  }
  const least = LEAST.find((one) => one.package.test(name));
  if (least === undefined) return undefined;
  // `>=v1` would admit a provider that silently drops our fields.
  const lowest = semver.minVersion(range);
  if (lowest !== null && semver.gte(lowest, least.version)) return undefined;
  return `must not go below ${least.version}, the first with ${least.why}`;
}
