// Every golden is something a cluster would take: what the cases expect, and what the chart renders.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { ownXrd } from '../../src/cli/own-stack.ts';
import { projectFile } from '../../src/cli/project.ts';
import { judgeSets } from '../../src/cli/validate/judge-sets.ts';
import { knownKinds } from '../../src/cli/validate/kinds.ts';
import { dependenciesOf } from '../../src/cli/validate/provider-fields.ts';
import { objectAt } from '../../src/core/json.ts';
import { isKubeObject, type KubeObject } from '../../src/core/kube-object.ts';
import { loadManifests } from '../../src/manifests/load.ts';
import { parseYaml } from '../../src/manifests/yaml.ts';

const [configuration] = loadManifests([projectFile('package', 'crossplane.yaml')]);
const judges = {
  kinds: knownKinds([ownXrd().object]),
  previous: () => undefined,
  dependencies: dependenciesOf(configuration?.object ?? null),
};

function goldens(...folder: readonly string[]): readonly string[] {
  return readdirSync(projectFile(...folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /(?:^|[\\/])expected\.yaml$/u.test(name))
    .map((name) => join(...folder, name))
    .sort();
}

/** Without --include-full-xr a render prints of an XR what Crossplane writes: the spec is left out. */
function whole(object: KubeObject): KubeObject {
  return object.kind === 'CelldStack'
    ? { ...object, spec: { clusterName: 'hub', ...objectAt(object, 'spec') } }
    : object;
}

describe('validate of goldens', () => {
  const files = goldens('test', 'cases');

  it('finds some', () => assert.ok(files.length > 10));

  for (const file of files) {
    it(`has nothing against ${file}`, () => {
      const { documents } = parseYaml(readFileSync(projectFile(file), 'utf8'), file);
      const subjects = documents.flatMap(({ value, placeOf }) =>
        isKubeObject(value) ? [{ object: whole(value), source: file, placeOf }] : [],
      );
      const faults = judgeSets([{ subjects }], judges)
        .flatMap((one) => one.faults)
        .filter(({ isNote }) => !isNote);
      assert.deepEqual(faults, []);
    });
  }
});
