// Names that the schema of a kind takes and that its controller, or what it makes of them, does not.
import { stringAt } from '../../core/json.ts';
import { groupOf } from '../../core/kube-object.ts';
import { beyond, type Fault, type Subject } from './subject.ts';

interface Limit {
  readonly most: number;
  readonly why: string;
}

const LABEL = { most: 63, why: 'it is a DNS label' };

/** The longest name of a kind, by group and kind; `*` stands for every kind of the group. */
const LIMITS: { readonly [kind: string]: Limit } = {
  '/Service': LABEL,
  '/Namespace': LABEL,
  'apps/StatefulSet': {
    most: 52,
    why: 'its pods bear it in the label controller-revision-hash, with a hash behind it',
  },
  'batch/Job': { most: 63, why: 'its pods bear it in a label' },
  'batch/CronJob': { most: 52, why: 'its Jobs bear it with a number behind it' },
  'pkg.crossplane.io/*': { most: 63, why: 'its revisions bear it in a label' },
  'helm.m.crossplane.io/Release': { most: 53, why: 'Helm takes no longer release name' },
  'helm.crossplane.io/Release': { most: 53, why: 'Helm takes no longer release name' },
  's3.aws.m.upbound.io/Bucket': { most: 63, why: 'S3 takes no longer bucket name' },
};

const EXTERNAL_NAME = 'crossplane.io/external-name';

/** A name that is too long for its kind. What a provider makes is known by its external name. */
export function checkNameLength(subject: Subject): readonly Fault[] {
  const { apiVersion, kind } = subject.object;
  const group = groupOf(apiVersion);
  const limit = LIMITS[`${group}/${kind}`] ?? LIMITS[`${group}/*`];
  const external = stringAt(subject.object, 'metadata', 'annotations', EXTERNAL_NAME);
  const name = external ?? stringAt(subject.object, 'metadata', 'name') ?? '';
  if (limit === undefined || name.length <= limit.most) return [];
  const path =
    external === undefined ? ['metadata', 'name'] : ['metadata', 'annotations', EXTERNAL_NAME];
  const message = `${JSON.stringify(name)} has ${name.length} characters: expected at most ${limit.most}, since ${limit.why}`;
  return [beyond(subject, 'NAME_TOO_LONG', path, message)];
}
