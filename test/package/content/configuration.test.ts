import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { projectFile } from '../../../src/cli/project.ts';
import { type Json, type JsonObject, listAt } from '../../../src/core/json.ts';
import type { KubeObject } from '../../../src/core/kube-object.ts';
import { loadManifests, type Manifest } from '../../../src/manifests/load.ts';
import {
  checkConfiguration,
  type PackageSources,
  stampConfiguration,
} from '../../../src/package/content/configuration.ts';

const FUNCTION = 'ghcr.io/hops-ops/function-celld-stack';
const VERSION = '0.1.0';

function ours(): PackageSources {
  const [metadata] = loadManifests([projectFile('package', 'crossplane.yaml')]);
  assert.ok(metadata !== undefined);
  return { metadata, apis: loadManifests([projectFile('apis')], { recursive: true }) };
}

function withObject(manifest: Manifest, object: JsonObject): Manifest {
  return { ...manifest, object: object as KubeObject };
}

/** Our sources with one dependency's range changed. */
function withRange(part: string, version: string): PackageSources {
  const sources = ours();
  const spec = sources.metadata.object['spec'] as JsonObject;
  const dependsOn = listAt(spec, 'dependsOn').map((one): Json => {
    const dependency = one as JsonObject;
    return String(dependency['package']).includes(part) ? { ...dependency, version } : dependency;
  });
  const metadata = { ...sources.metadata.object, spec: { ...spec, dependsOn } };
  return { ...sources, metadata: withObject(sources.metadata, metadata) };
}

function withApis(change: (object: KubeObject) => JsonObject): PackageSources {
  const sources = ours();
  return { ...sources, apis: sources.apis.map((api) => withObject(api, change(api.object))) };
}

function found(sources: PackageSources, repository = FUNCTION, version = VERSION) {
  return checkConfiguration(sources, repository, version).map(
    ({ code, path }) => `${code} ${path}`,
  );
}

describe('checkConfiguration()', () => {
  it('finds nothing wrong with what we ship', () => {
    assert.deepEqual(found(ours()), []);
  });

  const ranges = [
    {
      part: 'function-celld-stack',
      range: '>=v0.2.0',
      why: 'leaves out this version of the function',
    },
    { part: 'provider-helm', range: '>=v1', why: 'admits a provider-helm without chart.digest' },
    {
      part: 'provider-helm',
      range: '>=v1.2.0 <v1.3.0 || >=v1.4.0',
      why: 'admits it in one of two parts',
    },
    { part: 'provider-aws-s3', range: '*', why: 'admits everything' },
  ];
  for (const { part, range, why } of ranges) {
    it(`refuses a range that ${why}`, () => {
      const index = [
        'function-celld-stack',
        'provider-helm',
        'provider-kubernetes',
        'provider-aws-s3',
      ].indexOf(part);
      assert.deepEqual(found(withRange(part, range)), [
        `PACKAGE_DEPENDENCY spec.dependsOn[${index}].version`,
      ]);
    });
  }

  it('takes a digest for a version', () => {
    assert.deepEqual(found(withRange('provider-helm', `sha256:${'a'.repeat(64)}`)), []);
  });

  it('refuses a Composition whose function would have another name, and no function at all', () => {
    assert.deepEqual(found(ours(), 'ghcr.io/others/function-celld-stack'), [
      'PACKAGE_CONTENT spec.pipeline[0].functionRef.name',
      'PACKAGE_DEPENDENCY spec.dependsOn',
    ]);
  });

  it('refuses a Composition of a kind that the package does not define', () => {
    const other = withApis((object) =>
      object.kind !== 'Composition'
        ? object
        : {
            ...object,
            spec: {
              ...(object['spec'] as JsonObject),
              compositeTypeRef: { apiVersion: 'a.io/v1', kind: 'B' },
            },
          },
    );
    assert.deepEqual(found(other), ['PACKAGE_CONTENT spec.compositeTypeRef']);
  });

  it('refuses a kind that Crossplane would not install', () => {
    const sources = ours();
    const [api] = sources.apis;
    assert.ok(api !== undefined);
    const role = withObject(api, {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: 'x' },
    });
    assert.deepEqual(found({ ...sources, apis: [...sources.apis, role] }), [
      'PACKAGE_CONTENT kind',
    ]);
  });
});

describe('stampConfiguration()', () => {
  it('points the dependency and the Composition at another registry, and is right again there', () => {
    const there = 'registry.example.com:5000/team-a/function-celld-stack';
    const stamped = stampConfiguration(ours(), FUNCTION, there);
    assert.deepEqual(found(stamped, there), []);
    assert.equal(JSON.stringify(stamped).includes('hops-ops-function'), false);
  });
});
