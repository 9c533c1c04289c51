// What a node loads from the bucket: the fleet pointer, its manifest, its module, each checked as the
// strictest release checks it.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { ObjectStore } from '../../../src/bootstrap/object-store.ts';
import { valueAt } from '../../../src/core/json.ts';

export interface Worker {
  readonly fetch: (request: Request) => Response | Promise<Response>;
}

/** The Worker of the current deployment, or undefined when there is none. Throws where one check fails. */
export async function loadDeployment(store: ObjectStore): Promise<Worker | undefined> {
  const found = await store.read('deploy/current.json');
  if (found === undefined) return undefined;
  const pointer: unknown = JSON.parse(found.body);
  const prefix = String(valueAt(pointer, 'prefix'));
  assert.equal(valueAt(pointer, 'rollout', 'percent'), 100);
  const manifest: unknown = JSON.parse(
    (await store.read(`${prefix}/manifest.json`))?.body ?? 'null',
  );
  assert.equal(valueAt(manifest, 'version'), valueAt(pointer, 'version'));
  assert.equal(valueAt(manifest, 'script_name'), valueAt(pointer, 'script_name'));
  for (const list of ['do_classes', 'sqlite_classes']) {
    assert.deepEqual(valueAt(manifest, list), []);
  }
  assert.equal(valueAt(manifest, 'raw_metadata', 'main_module'), valueAt(manifest, 'main_module'));
  const name = String(valueAt(manifest, 'main_module'));
  const module = Buffer.from((await store.read(`${prefix}/${name}`))?.body ?? '');
  assert.deepEqual(valueAt(manifest, 'modules'), [
    { name, bytes: module.length, sha256: createHash('sha256').update(module).digest('hex') },
  ]);
  const { default: worker } = await import(
    `data:text/javascript;base64,${module.toString('base64')}`
  );
  return worker as Worker;
}
