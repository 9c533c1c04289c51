// An AWS account and the rest of the S3 namespace, in memory: what exists, what others took, what takes its time.

export interface External {
  readonly kind: string;
  readonly name: string;
  readonly forceDestroy: boolean;
}

/** An operation that AWS carries out in its own time, and how it ends. */
interface Operation {
  readonly endsAt: number;
  readonly run: () => string | undefined;
}

/** How long AWS and the provider's asynchronous operations take. */
const OPERATION_MS = 1200;

export interface Account {
  /** Bucket names that belong to somebody else. */
  readonly taken: Set<string>;
  /** Buckets that hold objects. */
  readonly filled: Set<string>;
  readonly has: (kind: string, name: string) => boolean;
  readonly names: () => readonly string[];
  /** Starts an operation for an object, or tells how far it is: the error text once it failed. */
  readonly operate: (uid: string, verb: 'create' | 'delete', external: External) => Progress;
}

export type Progress =
  | { readonly state: 'running' | 'done' }
  | { readonly state: 'failed'; readonly error: string };

/** A new, empty account. */
export function newAccount(): Account {
  const existing = new Map<string, External>();
  const operations = new Map<string, Operation>();
  const taken = new Set<string>();
  const filled = new Set<string>();
  const key = (external: { kind: string; name: string }) => `${external.kind}/${external.name}`;

  const create = (external: External): string | undefined => {
    if (external.kind !== 'Bucket') {
      if (!existing.has(key({ kind: 'Bucket', name: external.name }))) {
        return failure(
          'create',
          external,
          'PutBucketConfiguration',
          404,
          'NoSuchBucket: The specified bucket does not exist',
        );
      }
    } else if (taken.has(external.name)) {
      return failure('create', external, 'CreateBucket', 409, 'BucketAlreadyExists: ');
    }
    existing.set(key(external), external);
    return undefined;
  };
  const remove = (external: External): string | undefined => {
    const isFull = external.kind === 'Bucket' && filled.has(external.name);
    if (isFull && !external.forceDestroy) {
      return failure(
        'delete',
        external,
        'DeleteBucket',
        409,
        'api error BucketNotEmpty: The bucket you tried to delete is not empty',
      );
    }
    existing.delete(key(external));
    if (external.kind === 'Bucket') filled.delete(external.name);
    return undefined;
  };

  return {
    taken,
    filled,
    has: (kind, name) => existing.has(key({ kind, name })),
    names: () => [...existing.keys()],
    operate: (uid, verb, external) => {
      const id = `${uid} ${verb}`;
      const operation = operations.get(id);
      if (operation === undefined) {
        operations.set(id, {
          endsAt: Date.now() + OPERATION_MS,
          run: () => (verb === 'create' ? create(external) : remove(external)),
        });
        return { state: 'running' };
      }
      if (Date.now() < operation.endsAt) return { state: 'running' };
      operations.delete(id);
      const error = operation.run();
      return error === undefined ? { state: 'done' } : { state: 'failed', error };
    },
  };
}

/** An error as upjet passes it on from Terraform and the AWS SDK. */
function failure(
  verb: 'create' | 'delete',
  external: External,
  call: string,
  code: number,
  reason: string,
): string {
  const doing = verb === 'create' ? 'creating' : 'deleting';
  const title = external.kind === 'Bucket' ? 'S3 Bucket' : `S3 ${external.kind}`;
  const request = 'RequestID: 0A1B2C3D4E5F6G7H, HostID: aWQ=';
  return `async ${verb} failed: failed to ${verb} the resource: [{0 ${doing} ${title} (${external.name}): operation error S3: ${call}, https response error StatusCode: ${code}, ${request}, ${reason}  []}]`;
}
