// Where the fleet keeps its data.
import type { CelldStackSpec } from '../api/celld-stack.gen.ts';
import { type BucketUri, parseBucketUri } from '../api/rules.ts';
import { stringAt } from '../core/json.ts';
import type { AwsPlan } from './aws.ts';

export type Storage =
  /** Nothing was chosen: a node without a bucket, or one that the values bring. */
  | { readonly kind: 'none' }
  /** `celld dev` with a store of its own. */
  | { readonly kind: 'dev' }
  | { readonly kind: 'azurite'; readonly uri: string }
  /** A bucket that the stack makes. */
  | { readonly kind: 'aws'; readonly uri: string; readonly region: string }
  /** A bucket that is there. */
  | {
      readonly kind: 'bucket';
      readonly uri: string;
      readonly parts: BucketUri;
      readonly region: string;
      readonly endpoint?: string;
    };

/** The one store of a spec that passed the rules. */
export function storageOf(spec: CelldStackSpec, aws: AwsPlan): Storage {
  if (spec.dev.enabled) return { kind: 'dev' };
  if (spec.azurite.enabled) return { kind: 'azurite', uri: `az://${spec.azurite.container}` };
  if (spec.aws.enabled) {
    return { kind: 'aws', uri: `s3://${aws.bucketName}`, region: aws.region };
  }
  const parts = spec.bucket === undefined ? undefined : parseBucketUri(spec.bucket);
  if (spec.bucket === undefined || parts === undefined) return { kind: 'none' };
  const endpoint = parts.scheme === 's3' ? spec.endpoint : undefined;
  return {
    kind: 'bucket',
    uri: spec.bucket,
    parts,
    region: spec.region,
    ...(endpoint === undefined ? {} : { endpoint }),
  };
}

/**
 * What makes two fleets share one store: the same root, wherever it is. Undefined for a store that is
 * the fleet's own by construction.
 */
export function storeRoot(storage: Storage, spec: CelldStackSpec): readonly string[] | undefined {
  if (storage.kind === 'aws') return ['s3', '', storage.uri.slice('s3://'.length), ''];
  if (storage.kind !== 'bucket') return undefined;
  const { scheme, name, prefix } = storage.parts;
  const place = scheme === 'az' ? (spec.azure?.accountName ?? '') : (storage.endpoint ?? '');
  return [scheme, place.replace(/\/+$/u, ''), name, prefix];
}

/** The bucket's or container's name, for the status. */
export function bucketNameOf(storage: Storage): string | undefined {
  if (storage.kind === 'bucket') return storage.parts.name;
  return 'uri' in storage ? storage.uri.replace(/^\w+:\/\//u, '') : undefined;
}

/** True when the values bring a bucket of their own. */
export function bucketFromValues(spec: CelldStackSpec): boolean {
  return stringAt(spec.overrideAllValues ?? spec.values, 'celld', 'bucket') !== undefined;
}
