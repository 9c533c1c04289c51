// Fields that came with a later version of a provider: an older one, if our package admits it, drops them.
import { minVersion, satisfies } from 'semver';
import { type Json, listAt, stringAt, valueAt } from '../../core/json.ts';
import { groupOf } from '../../core/kube-object.ts';
import { beyond, type Fault, type Subject } from './subject.ts';

interface Field {
  readonly group: string;
  readonly kind: string;
  readonly path: readonly string[];
  readonly provider: string;
  readonly since: string;
}

function fields(
  group: string,
  kind: string,
  provider: string,
  since: { readonly [path: string]: string },
): readonly Field[] {
  return Object.entries(since).map(([path, version]) => ({
    group,
    kind,
    path: path.split('.'),
    provider,
    since: version,
  }));
}

const S3 = 's3.aws.m.upbound.io';

/** From the CRDs of the providers' releases. */
const FIELDS: readonly Field[] = [
  ...fields('helm.m.crossplane.io', 'Release', 'provider-helm', {
    'spec.forProvider.namespace': '1.0.2',
    'spec.forProvider.skipCreateNamespace': '1.0.2',
    'spec.forProvider.plainHTTP': '1.2.0',
    'spec.forProvider.chart.digest': '1.3.0',
    'spec.forProvider.maxHistory': '1.3.0',
    'spec.forProvider.takeOwnership': '1.3.0',
    'spec.forProvider.ssaForceConflicts': '1.4.0',
  }),
  ...fields('kubernetes.m.crossplane.io', 'Object', 'provider-kubernetes', {
    'spec.deletionPropagationPolicy': '1.3.0',
  }),
  ...fields(S3, 'BucketPublicAccessBlock', 'provider-aws-s3', {
    'spec.forProvider.skipDestroy': '2.1.0',
  }),
  ...fields(S3, 'BucketServerSideEncryptionConfiguration', 'provider-aws-s3', {
    'spec.forProvider.rule.blockedEncryptionTypes': '2.5.0',
  }),
  ...fields(S3, 'Bucket', 'provider-aws-s3', { 'spec.forProvider.bucketNamespace': '2.7.0' }),
];

/** The version ranges of the packages a Configuration depends on, by the last part of their repository. */
export type Dependencies = ReadonlyMap<string, string>;

/** Reads the dependencies of a Configuration's metadata. */
export function dependenciesOf(configuration: Json): Dependencies {
  return new Map(
    listAt(configuration, 'spec', 'dependsOn').flatMap((one): [string, string][] => {
      const repository = ['package', 'provider', 'configuration', 'function']
        .map((key) => stringAt(one, key))
        .find((found) => found !== undefined);
      const version = stringAt(one, 'version');
      const name = repository?.split('/').at(-1);
      return name === undefined || version === undefined ? [] : [[name, version]];
    }),
  );
}

/** The fields an object uses that the oldest provider in our range does not know. */
export function checkProviderFields(
  subject: Subject,
  dependencies: Dependencies,
): readonly Fault[] {
  const { apiVersion, kind } = subject.object;
  return FIELDS.flatMap(({ group, kind: wanted, path, provider, since }) => {
    if (groupOf(apiVersion) !== group || kind !== wanted) return [];
    const used = [subject.object, ...listAt(subject.object, ...path.slice(0, -1))];
    if (used.every((one, i) => valueAt(one, ...(i === 0 ? path : path.slice(-1))) === undefined))
      return [];
    const range = dependencies.get(provider);
    const oldest = range === undefined ? undefined : oldestOf(range);
    if (oldest === undefined || satisfies(oldest, `>=${since}`, { includePrerelease: true }))
      return [];
    const message = `${provider} knows this field since v${since}: the package admits v${oldest} (${range}), which would drop it`;
    return [beyond(subject, 'FIELD_PRUNED', path, message)];
  });
}

/** The oldest version of a range; undefined for a digest or a text that is no range. */
function oldestOf(range: string): string | undefined {
  try {
    return minVersion(range)?.version;
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}
