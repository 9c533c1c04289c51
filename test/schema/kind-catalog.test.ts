import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { projectFile } from '../../src/cli/project.ts';
import type { KubeObject } from '../../src/core/kube-object.ts';
import { parseYaml } from '../../src/manifests/yaml.ts';
import { kindCatalog } from '../../src/schema/kind-catalog.ts';

const catalog = kindCatalog(projectFile('schemas', 'kinds'));

describe('kindCatalog()', () => {
  it('knows each kind under the name of its file', () => {
    const names = readdirSync(projectFile('schemas', 'kinds'));
    const found = names.map((name) => {
      const text = readFileSync(projectFile('schemas', 'kinds', name), 'utf8');
      const { spec } = JSON.parse(text) as {
        spec: { group: string; names: { kind: string }; versions: { name: string }[] };
      };
      const version = spec.versions[0]?.name ?? '';
      const apiVersion = spec.group === '' ? version : `${spec.group}/${version}`;
      const schema = catalog(apiVersion, spec.names.kind);
      return [name, schema?.apiVersion, schema?.kind];
    });
    assert.deepEqual(
      found.filter(([, apiVersion, kind]) => apiVersion === undefined || kind === undefined),
      [],
    );
  });

  for (const [apiVersion, kind, why] of [
    ['helm.m.crossplane.io/v1', 'Release', 'the version is not served'],
    ['v1', 'Nothing', 'nobody has the kind'],
    ['../v1', 'Release', 'the group is a path'],
  ] as const) {
    it(`does not know ${apiVersion} ${kind}: ${why}`, () => {
      assert.equal(catalog(apiVersion, kind), undefined);
    });
  }

  for (const file of [
    'apis/celldstacks/definition.yaml',
    'apis/celldstacks/composition.yaml',
    'package/crossplane.yaml',
    'function/crossplane.yaml',
  ]) {
    it(`finds nothing wrong with our own ${file}`, () => {
      const text = readFileSync(projectFile(file), 'utf8');
      const [document] = parseYaml(text, file).documents;
      const object = document?.value as KubeObject;
      assert.deepEqual(catalog(object.apiVersion, object.kind)?.check(object), []);
    });
  }
});
