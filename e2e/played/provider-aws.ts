// Plays provider-aws for the S3 kinds of a stack, over an account in memory: upjet's writes in upjet's order.
import {
  type JsonObject,
  listAt,
  objectAt,
  sameJson,
  stringAt,
  valueAt,
} from '../../src/core/json.ts';
import { type Cluster, type Reference, referenceOf } from '../control-plane/cluster.ts';
import { type Account, type External, newAccount } from './aws-account.ts';
import { condition, forEach, hasReason, type Loop, startLoop, withConditions } from './loop.ts';

const API = 's3.aws.m.upbound.io/v1beta1';
const KINDS = [
  'Bucket',
  'BucketPublicAccessBlock',
  'BucketServerSideEncryptionConfiguration',
] as const;
const FINALIZER = 'finalizer.managedresource.crossplane.io';
const EXTERNAL_NAME = 'crossplane.io/external-name';
const PENDING = 'crossplane.io/external-create-pending';
const SUCCEEDED = 'crossplane.io/external-create-succeeded';
/** upjet tries a failed operation again after one second, then with growing pauses of up to a minute. */
const FIRST_RETRY_MS = 1000;
const LAST_RETRY_MS = 60_000;

export interface ProviderAws extends Loop {
  readonly account: Account;
}

interface Patience {
  readonly until: number;
  readonly pauseMs: number;
}

/** Starts the controllers of all S3 kinds. */
export function startProviderAws(cluster: Cluster, log: string): ProviderAws {
  const account = newAccount();
  const patience = new Map<string, Patience>();
  const act = actor(cluster, account, patience);
  const loop = startLoop(log, async () => {
    for (const kind of KINDS) {
      const found = await cluster.list(API, kind);
      await forEach(log, found, async (object) => {
        const waits = patience.get(stringAt(object, 'metadata', 'uid') ?? '');
        if (waits === undefined || Date.now() >= waits.until) await act(object);
      });
    }
  });
  return { ...loop, account };
}

type Step = (object: JsonObject) => Promise<void>;

function actor(cluster: Cluster, account: Account, patience: Map<string, Patience>): Step {
  const patch = (at: Reference, change: JsonObject) => cluster.merge(at, change);
  const report = async (
    object: JsonObject,
    wanted: readonly JsonObject[],
    atProvider?: JsonObject,
  ) => {
    const conditions = withConditions(object, wanted);
    const status = { conditions, ...(atProvider === undefined ? {} : { atProvider }) };
    const same =
      sameJson(listAt(object, 'status', 'conditions'), conditions) &&
      (atProvider === undefined || sameJson(objectAt(object, 'status', 'atProvider'), atProvider));
    if (!same) await cluster.merge(referenceOf(object), { status }, 'status');
  };
  const fail = async (object: JsonObject, verb: 'Create' | 'Delete', error: string) => {
    const uid = stringAt(object, 'metadata', 'uid') ?? '';
    const pauseMs = Math.min((patience.get(uid)?.pauseMs ?? FIRST_RETRY_MS / 2) * 2, LAST_RETRY_MS);
    patience.set(uid, { until: Date.now() + pauseMs, pauseMs });
    await report(object, [
      condition('LastAsyncOperation', 'False', `Async${verb}Failure`, error),
      condition('Synced', 'False', 'ReconcileError', error),
    ]);
  };

  const arrive: Step = async (object) => {
    const at = referenceOf(object);
    const prepared = preparation(object);
    if (prepared !== undefined) {
      await patch(at, prepared);
      return;
    }
    const external = externalOf(object, await bucketOf(cluster, object));
    if (external === undefined) {
      await report(object, [condition('Synced', 'False', 'ReconcileError', UNRESOLVED)]);
      return;
    }
    if (stringAt(object, 'spec', 'forProvider', 'bucket') === undefined && at.kind !== 'Bucket') {
      await patch(at, { spec: { forProvider: { bucket: external.name } } });
      return;
    }
    if (account.has(external.kind, external.name)) {
      await observe(object, external);
      return;
    }
    await create(object, external);
  };

  const create = async (object: JsonObject, external: External) => {
    const marked = creationMark(object);
    if (marked !== undefined) {
      await patch(referenceOf(object), { metadata: { annotations: marked } });
      return;
    }
    const progress = account.operate(stringAt(object, 'metadata', 'uid') ?? '', 'create', external);
    const failedBefore = hasReason(object, 'LastAsyncOperation', 'AsyncCreateFailure');
    if (progress.state === 'failed') await fail(object, 'Create', progress.error);
    else if (progress.state === 'running' && !failedBefore) {
      await report(object, [
        condition('Ready', 'False', 'Creating'),
        condition('Synced', 'True', 'ReconcileSuccess'),
      ]);
    }
  };

  const observe = async (object: JsonObject, external: External) => {
    const at = referenceOf(object);
    // The name of a configuration is known only once it exists.
    if (valueAt(object, 'metadata', 'annotations', EXTERNAL_NAME) === undefined) {
      await patch(at, { metadata: { annotations: { [EXTERNAL_NAME]: external.name } } });
      return;
    }
    if (!hasReason(object, 'LastAsyncOperation', 'Success')) {
      await report(object, [condition('LastAsyncOperation', 'True', 'Success')]);
      return;
    }
    await report(
      object,
      [condition('Ready', 'True', 'Available'), condition('Synced', 'True', 'ReconcileSuccess')],
      providerState(object, external),
    );
  };

  const leave: Step = async (object) => {
    const at = referenceOf(object);
    const finalizers = listAt(object, 'metadata', 'finalizers').filter((one) => one !== FINALIZER);
    const release = () => patch(at, { metadata: { finalizers } });
    const policies = listAt(object, 'spec', 'managementPolicies');
    const external = externalOf(object, stringAt(object, 'spec', 'forProvider', 'bucket'));
    const isOrphaned = !policies.includes('*') && !policies.includes('Delete');
    if (isOrphaned || external === undefined || !account.has(external.kind, external.name)) {
      await release();
      return;
    }
    const uid = stringAt(object, 'metadata', 'uid') ?? '';
    const progress = account.operate(uid, 'delete', external);
    if (progress.state === 'failed') await fail(object, 'Delete', progress.error);
    else if (progress.state === 'done') await release();
    else await report(object, [condition('Ready', 'False', 'Deleting')]);
  };

  return (object) =>
    stringAt(object, 'metadata', 'deletionTimestamp') === undefined
      ? arrive(object)
      : leave(object);
}

const UNRESOLVED =
  'cannot resolve references: mg.Spec.ForProvider.Bucket: referenced field was empty (referenced resource may not yet be ready)';

/** What is written into a new object before anything is asked of AWS: name, tags, finalizer, one at a time. */
function preparation(object: JsonObject): JsonObject | undefined {
  const name = stringAt(object, 'metadata', 'name') ?? '';
  const isBucket = stringAt(object, 'kind') === 'Bucket';
  if (isBucket && valueAt(object, 'metadata', 'annotations', EXTERNAL_NAME) === undefined) {
    return { metadata: { annotations: { [EXTERNAL_NAME]: name } } };
  }
  if (isBucket && valueAt(object, 'spec', 'forProvider', 'tags', 'crossplane-kind') === undefined) {
    const tags = {
      'crossplane-kind': 'bucket.s3.aws.m.upbound.io',
      'crossplane-name': name,
      'crossplane-providerconfig': stringAt(object, 'spec', 'providerConfigRef', 'name') ?? '',
    };
    return { spec: { forProvider: { tags } } };
  }
  const finalizers = listAt(object, 'metadata', 'finalizers');
  if (finalizers.includes(FINALIZER)) return undefined;
  return { metadata: { finalizers: [...finalizers, FINALIZER] } };
}

/** The annotations around a creation that are still missing. */
function creationMark(object: JsonObject): JsonObject | undefined {
  const now = `${new Date().toISOString().slice(0, 19)}Z`;
  for (const mark of [PENDING, SUCCEEDED]) {
    if (valueAt(object, 'metadata', 'annotations', mark) === undefined) return { [mark]: now };
  }
  return undefined;
}

/** The bucket a configuration belongs to: named, or the id of the Bucket it refers to. */
async function bucketOf(cluster: Cluster, object: JsonObject): Promise<string | undefined> {
  const named = stringAt(object, 'spec', 'forProvider', 'bucket');
  const referred = stringAt(object, 'spec', 'forProvider', 'bucketRef', 'name');
  if (named !== undefined || referred === undefined) return named;
  const { namespace } = referenceOf(object);
  const bucket = await cluster.find({ apiVersion: API, kind: 'Bucket', name: referred, namespace });
  return stringAt(bucket, 'status', 'atProvider', 'id');
}

function externalOf(object: JsonObject, bucket: string | undefined): External | undefined {
  const kind = stringAt(object, 'kind') ?? '';
  const name =
    kind === 'Bucket' ? stringAt(object, 'metadata', 'annotations', EXTERNAL_NAME) : bucket;
  const forceDestroy = valueAt(object, 'spec', 'forProvider', 'forceDestroy') === true;
  return name === undefined ? undefined : { kind, name, forceDestroy };
}

function providerState(object: JsonObject, external: External): JsonObject {
  const { bucketRef: _, ...asked } = objectAt(object, 'spec', 'forProvider');
  const region = stringAt(asked, 'region') ?? '';
  if (external.kind !== 'Bucket') return { ...asked, id: external.name };
  return {
    arn: `arn:aws:s3:::${external.name}`,
    bucketDomainName: `${external.name}.s3.amazonaws.com`,
    bucketRegion: region,
    bucketRegionalDomainName: `${external.name}.s3.${region}.amazonaws.com`,
    forceDestroy: external.forceDestroy,
    id: external.name,
    objectLockEnabled: false,
    region,
    tags: objectAt(asked, 'tags'),
    tagsAll: objectAt(asked, 'tags'),
  };
}
