// Rules between fields that the function relies on. The API server enforces them too, as rules of the
// XRD; here they also hold for an XR that was stored before the XRD had them.
import type { Problem } from '../core/problem.ts';
import type { CelldStackSpec } from './celld-stack.gen.ts';

/** The fields that choose where the fleet keeps its data. */
export function chosenStores(spec: CelldStackSpec): readonly string[] {
  return [
    ...(spec.dev.enabled ? ['spec.dev.enabled'] : []),
    ...(spec.azurite.enabled ? ['spec.azurite.enabled'] : []),
    ...(spec.aws.enabled ? ['spec.aws.enabled'] : []),
    ...(spec.bucket === undefined ? [] : ['spec.bucket']),
  ];
}

/** What is wrong between fields of a spec that is right field by field. */
export function checkRules(spec: CelldStackSpec): readonly Problem[] {
  const problems: Problem[] = [];
  const stores = chosenStores(spec);
  if (stores.length > 1) {
    problems.push({
      code: 'STORAGE_AMBIGUOUS',
      path: 'spec',
      message: `Forbidden: a fleet keeps its data in one place: found ${stores.join(' and ')}`,
      hint: 'choose one of spec.bucket, spec.aws.enabled, spec.azurite.enabled and spec.dev.enabled',
    });
  }
  if (spec.bucket !== undefined && parseBucketUri(spec.bucket) === undefined) {
    problems.push({
      code: 'BUCKET_URI',
      path: 'spec.bucket',
      message: `Invalid value: ${JSON.stringify(spec.bucket)}: must be s3://NAME, gs://NAME or az://CONTAINER, with an optional /PREFIX`,
    });
  }
  if (spec.chartUrl !== undefined && spec.chartRepository !== undefined) {
    problems.push({
      code: 'CHART_AMBIGUOUS',
      path: 'spec.chartUrl',
      message: 'Forbidden: chartUrl names the chart by itself',
      hint: 'remove spec.chartRepository or spec.chartUrl',
    });
  }
  return problems;
}

export interface BucketUri {
  readonly scheme: 's3' | 'gs' | 'az';
  readonly name: string;
  /** Without slashes around it; empty for the whole bucket. */
  readonly prefix: string;
}

/** The parts of `s3://NAME/PREFIX`, or undefined when it is no bucket URI. */
export function parseBucketUri(uri: string): BucketUri | undefined {
  const [, scheme, name, prefix = ''] = /^(s3|gs|az):\/\/([^/]+)(?:\/(.*))?$/u.exec(uri) ?? [];
  if (scheme === undefined || name === undefined) return undefined;
  return { scheme: scheme as BucketUri['scheme'], name, prefix: prefix.replace(/^\/+|\/+$/gu, '') };
}
