// The chart finds the line of a tag as the catalog does, whatever form the tag has.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { NEWEST, type ReleaseLine, readTag } from '../../src/celld/releases.ts';
import { type JsonObject, stringAt, valueAt } from '../../src/core/json.ts';
import { renderChart } from '../support/helm.ts';
import { envOf, fleetContainer, one } from '../support/rendered.ts';

const DIGEST = `sha256:${'0f'.repeat(32)}`;

function lineOf(tag: string): ReleaseLine {
  const reading = readTag(tag);
  return reading.kind === 'unreadable' ? NEWEST : reading.line;
}

/** What has to be said of an image whose tag says nothing. */
function spoken(tag: string): JsonObject {
  return readTag(tag).kind === 'unreadable'
    ? { probes: { path: NEWEST.healthPath }, terminationGracePeriodSeconds: 90 }
    : {};
}

describe('celld.release', { concurrency: true }, () => {
  for (const { tag, label, why } of [
    { tag: 'v0.2.1', label: 'v0.2.1', why: 'a git tag' },
    { tag: `0.3.0@${DIGEST}`, label: '0.3.0', why: 'a release with its digest' },
    { tag: '0.3.1', label: '0.3.1', why: 'a gap in the list' },
    { tag: '0.5.2-dev.1', label: '0.5.2-dev.1', why: 'a build of its own' },
    { tag: '0.10.0', label: '0.10.0', why: 'a later release, by its numbers' },
    { tag: 'latest', label: 'latest', why: 'a tag that names no release' },
    { tag: DIGEST, label: undefined, why: 'a digest alone' },
  ]) {
    it(`runs ${tag.slice(0, 16)} as the catalog says: ${why}`, async () => {
      const line = lineOf(tag);
      const objects = await renderChart({
        values: {
          celld: { bucket: 's3://cells' },
          image: { tag },
          shutdown: { boundSeconds: 45 },
          telemetry: { endpoint: 'http://collector:4318' },
          ...spoken(tag),
        },
      });
      const container = fleetContainer(objects);
      const env = envOf(container);
      assert.deepEqual(
        {
          image: stringAt(container, 'image'),
          path: valueAt(container, 'readinessProbe', 'httpGet', 'path'),
          bound: env[line.drain?.variable ?? ''],
          collector: line.telemetry === 'url' ? env['CELLD_OTEL'] : env['CELLD_OTEL_SINK'],
          label: stringAt(
            one(objects, 'StatefulSet'),
            'metadata',
            'labels',
            'app.kubernetes.io/version',
          ),
        },
        {
          image: `ghcr.io/denoland/celld${tag === DIGEST ? '@' : ':'}${tag}`,
          path: line.healthPath,
          bound: '45000',
          collector: line.telemetry === 'url' ? 'http://collector:4318' : 'otlp',
          label,
        },
      );
    });
  }
});
