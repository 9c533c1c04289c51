import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { projectFile } from '../../../src/cli/project.ts';
import type { JsonObject } from '../../../src/core/json.ts';
import { loadManifests } from '../../../src/manifests/load.ts';
import { checkMetadata, parseConstraint } from '../../../src/package/content/metadata.ts';

const REPOSITORY = 'hops-ops/celld-stack';

function configuration(spec: JsonObject = {}, more: JsonObject = {}): JsonObject {
  return {
    apiVersion: 'meta.pkg.crossplane.io/v1',
    kind: 'Configuration',
    metadata: { name: 'celld-stack' },
    spec: { crossplane: { version: '>=v2.2.0-0' }, ...spec },
    ...more,
  };
}

function dependency(more: JsonObject): JsonObject {
  return {
    apiVersion: 'pkg.crossplane.io/v1',
    kind: 'Provider',
    package: 'xpkg.crossplane.io/crossplane-contrib/provider-helm',
    version: '>=v1.3.0, <v2',
    ...more,
  };
}

describe('checkMetadata()', () => {
  it('accepts the metadata we ship', () => {
    const [ours] = loadManifests([projectFile('package', 'crossplane.yaml')]);
    const [functions] = loadManifests([projectFile('function', 'crossplane.yaml')]);
    assert.deepEqual(
      [
        ...checkMetadata(ours?.object ?? {}, 'Configuration', REPOSITORY),
        ...checkMetadata(functions?.object ?? {}, 'Function', 'hops-ops/function-celld-stack'),
      ],
      [],
    );
  });

  const bad: { why: string; metadata: JsonObject; paths: string[]; repository?: string }[] = [
    {
      why: 'an unknown field, at any depth',
      metadata: configuration({ dependson: [], crossplane: { version: '>=v2', extra: 'x' } }),
      paths: ['spec.crossplane.extra', 'spec.dependson'],
    },
    {
      why: 'another kind and version',
      metadata: configuration(
        {},
        { apiVersion: 'meta.pkg.crossplane.io/v1beta1', kind: 'Provider' },
      ),
      paths: ['apiVersion', 'kind'],
    },
    {
      why: 'a name that is no DNS label',
      metadata: configuration({}, { metadata: { name: 'Celld_Stack' } }),
      paths: ['metadata.name'],
    },
    {
      why: 'a constraint that Crossplane cannot read',
      metadata: configuration({ crossplane: { version: 'newest' } }),
      paths: ['spec.crossplane.version'],
    },
    {
      why: 'no constraint',
      metadata: configuration({ crossplane: {} }),
      paths: ['spec.crossplane.version'],
    },
    {
      why: 'capabilities on a Configuration',
      metadata: configuration({ capabilities: ['composition'] }),
      paths: ['spec.capabilities'],
    },
    {
      why: 'the deprecated form of a dependency',
      metadata: configuration({ dependsOn: [{ provider: 'x.io/a/b', version: '>=v1' }] }),
      paths: ['spec.dependsOn[0].provider'],
    },
    {
      why: 'a dependency with a tag, one without a registry, one without a version',
      metadata: configuration({
        dependsOn: [
          dependency({ package: 'x.io/a/b:v1' }),
          dependency({ package: 'a/b' }),
          { ...dependency({}), version: '' },
        ],
      }),
      paths: [
        'spec.dependsOn[0].package',
        'spec.dependsOn[1].package',
        'spec.dependsOn[2].version',
      ],
    },
    {
      why: 'a wrong type',
      metadata: configuration(
        { dependsOn: 'none' },
        { metadata: { name: 'x', annotations: { a: 1 } } },
      ),
      paths: ['metadata.annotations', 'spec.dependsOn'],
    },
    {
      why: 'a repository whose object name could not be installed',
      metadata: configuration(),
      paths: ['metadata.name'],
      repository: `hops-ops/${'x'.repeat(60)}`,
    },
  ];
  for (const { why, metadata, paths, repository } of bad) {
    it(`refuses ${why}`, () => {
      const problems = checkMetadata(metadata, 'Configuration', repository ?? REPOSITORY);
      assert.deepEqual(
        problems.map(({ code, path }) => ({ code, path })),
        paths.map((path) => ({ code: 'PACKAGE_METADATA', path })),
      );
    });
  }

  it('wants a function to be called one and to be usable in a Composition', () => {
    const metadata = configuration({ capabilities: ['operation', 'flying'] }, { kind: 'Function' });
    assert.deepEqual(
      checkMetadata(metadata, 'Function', REPOSITORY).map(({ path }) => path),
      ['metadata.name', 'spec.capabilities', 'spec.capabilities[1]'],
    );
  });
});

describe('parseConstraint()', () => {
  it('reads a comma as "and", as Crossplane does', () => {
    assert.deepEqual(
      ['v1.2.9', 'v1.3.0', 'v2.0.0'].map((version) =>
        parseConstraint('>=v1.3.0, <v2')?.test(version),
      ),
      [false, true, false],
    );
  });
});
