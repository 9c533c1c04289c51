import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { FLEET_POINTER, PLACEHOLDER } from '../../src/bootstrap/placeholder.ts';
import { PLACEHOLDER_KEYS } from '../support/fleet-store.ts';

const [module, manifest, named, fleet] = PLACEHOLDER.map(({ body }) => body);

describe('PLACEHOLDER', () => {
  it('is written in the order of celld deploy: module, manifest, named pointer, fleet pointer', () => {
    assert.deepEqual(
      PLACEHOLDER.map(({ key }) => key),
      PLACEHOLDER_KEYS,
    );
    assert.equal(FLEET_POINTER, PLACEHOLDER_KEYS.at(-1));
  });

  it('satisfies what the strictest celld release checks of a manifest', () => {
    const bytes = Buffer.from(module ?? '');
    const metadata = '{"bindings":[],"compatibility_date":"2026-01-01","main_module":"index.js"}';
    const version = createHash('sha256')
      .update('index.js')
      .update(Buffer.from([0]))
      .update(bytes)
      .update(metadata)
      .digest('hex')
      .slice(0, 16);
    assert.deepEqual(JSON.parse(manifest ?? ''), {
      schema_version: 1,
      version,
      script_name: 'placeholder',
      main_module: 'index.js',
      do_classes: [],
      sqlite_classes: [],
      modules: [
        {
          name: 'index.js',
          bytes: bytes.length,
          sha256: createHash('sha256').update(bytes).digest('hex'),
        },
      ],
      raw_metadata: JSON.parse(metadata),
    });
    const pointer = {
      script_name: 'placeholder',
      version,
      prefix: `deploy/placeholder/${version}`,
      rollout: { percent: 100 },
    };
    assert.deepEqual(JSON.parse(fleet ?? ''), pointer);
    assert.deepEqual(JSON.parse(named ?? ''), pointer);
  });

  it('answers every request with 503 and says why', async () => {
    const { default: worker } = await import(
      `data:text/javascript,${encodeURIComponent(module ?? '')}`
    );
    const response: Response = worker.fetch();
    assert.equal(response.status, 503);
    assert.equal(response.headers.get('retry-after'), '30');
    assert.equal(await response.text(), 'no application deployed yet\n');
  });
});
