// Promises that every composed resource keeps, in every mode, under the longest legal names.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { projectFile } from '../../src/cli/project.ts';
import { compose } from '../../src/compose/compose.ts';
import { KEYS } from '../../src/compose/keys.ts';
import { formatFieldPath } from '../../src/core/field-path.ts';
import { isList, isObject, type Json, type JsonObject, stringAt } from '../../src/core/json.ts';
import { kindCatalog } from '../../src/schema/kind-catalog.ts';
import { atRest, composeWith, xr } from '../support/xr.ts';
import { MODES } from './modes.ts';

/** Every composed resource of every mode, when all gates are open. */
const all = Object.entries(MODES).flatMap(([mode, spec]) =>
  Object.entries(composeWith(spec, atRest(spec)).resources).map(([key, { object }]) => ({
    title: `${key} (${mode})`,
    key,
    object,
  })),
);

/** Every value inside a value, with its path. */
function inside(value: Json, path = ''): readonly { path: string; value: Json }[] {
  const children = isList(value)
    ? value.flatMap((child, i) => inside(child, `${path}[${i}]`))
    : isObject(value)
      ? Object.entries(value).flatMap(([key, child]) => inside(child, `${path}.${key}`))
      : [];
  return [{ path, value }, ...children];
}

function breaches(check: (object: JsonObject) => readonly string[]): readonly string[] {
  return all.flatMap(({ title, object }) => check(object).map((breach) => `${title}: ${breach}`));
}

describe('every composed resource', () => {
  it('has a key that is frozen', () => {
    assert.deepEqual(Object.values(KEYS), [
      'namespace',
      'helm-release-celld',
      's3-bucket',
      's3-bucket-pab',
      's3-bucket-encryption',
      'pod-identity',
      'aws-creds-secret',
      'fleet',
      'usage-celld-namespace',
      'usage-helm-celld-pod-identity',
      'usage-helm-celld-s3-bucket',
      'usage-helm-celld-aws-creds',
    ]);
    assert.deepEqual([...new Set(all.map(({ key }) => key))].sort(), Object.values(KEYS).sort());
  });

  it('is accepted by the schema of its kind, and so is the object inside an Object', () => {
    const kinds = kindCatalog(projectFile('schemas', 'kinds'));
    const check = (object: JsonObject): readonly string[] => {
      const [apiVersion, kind] = [object['apiVersion'] as string, object['kind'] as string];
      const schema = kinds(apiVersion, kind);
      if (schema === undefined) return [`${kind} ${apiVersion} has no schema here`];
      return schema
        .check(object)
        .map(({ path, message }) => `${formatFieldPath(path)}: ${message}`);
    };
    assert.deepEqual(breaches(check), []);
    assert.deepEqual(
      breaches((object) => {
        // What is only looked at is named and not described, so it lacks what its kind requires.
        if (object['kind'] !== 'Object' || JSON.stringify(object).includes('"Observe"')) return [];
        const spec = object['spec'] as { forProvider: { manifest: JsonObject } };
        return check(spec.forProvider.manifest);
      }),
      [],
    );
  });

  it('bears the labels of the stack', () => {
    const labelsOf = (object: JsonObject) => (object['metadata'] as JsonObject)['labels'];
    assert.deepEqual(
      breaches((object) => {
        const labels = labelsOf(object) as { readonly [key: string]: string };
        return labels['hops.ops.com.ai/managed'] === 'true' &&
          labels['hops.ops.com.ai/celldstack'] === 'demo'
          ? []
          : [JSON.stringify(labels)];
      }),
      [],
    );
  });

  it('names itself and leaves namespace and owner to Crossplane', () => {
    assert.deepEqual(
      breaches((object) =>
        Object.keys(object['metadata'] as JsonObject).filter(
          (field) => !['name', 'labels', 'annotations'].includes(field),
        ),
      ),
      [],
    );
    assert.deepEqual(
      breaches((object) => (object['status'] === undefined ? [] : ['has a status'])),
      [],
    );
  });

  it('holds no null, and values hold nothing empty', () => {
    assert.deepEqual(
      breaches((object) =>
        inside(object)
          .filter(({ value }) => value === null)
          .map(({ path }) => `${path} is null`),
      ),
      [],
    );
    assert.deepEqual(
      breaches((object) =>
        object['kind'] !== 'Release'
          ? []
          : inside(object['spec'] ?? null)
              .filter(({ value }) => value === '' || JSON.stringify(value) === '{}')
              .map(({ path }) => `${path} is empty`),
      ),
      [],
    );
  });

  it('names the ProviderConfig of its provider, by name and kind', () => {
    const spec = {
      aws: { enabled: true },
      providerConfigRefs: {
        helm: { name: 'h', kind: 'ClusterProviderConfig' },
        kubernetes: { name: 'k' },
        aws: { kind: 'ClusterProviderConfig' },
      },
    };
    const { resources } = composeWith(spec, atRest(spec));
    const found = Object.fromEntries(
      Object.entries(resources).map(([key, { object }]) => [
        key,
        (object['spec'] as JsonObject)['providerConfigRef'],
      ]),
    );
    const aws = { name: 'hub', kind: 'ClusterProviderConfig' };
    const kubernetes = { name: 'k', kind: 'ProviderConfig' };
    assert.deepEqual(found, {
      namespace: kubernetes,
      's3-bucket': aws,
      's3-bucket-pab': aws,
      'pod-identity': aws,
      'helm-release-celld': { name: 'h', kind: 'ClusterProviderConfig' },
      fleet: kubernetes,
      'usage-celld-namespace': undefined,
      'usage-helm-celld-pod-identity': undefined,
      'usage-helm-celld-s3-bucket': undefined,
    });
  });

  it('has a legal name for the longest legal XR', () => {
    const spec: JsonObject = {
      clusterName: 'C'.repeat(100),
      namespace: 'n'.repeat(63),
      releaseName: 'r'.repeat(53),
      aws: { enabled: true, rolePrefix: 'p'.repeat(32) },
    };
    const metadata = { name: 'x'.repeat(52) };
    const { resources, status } = compose({
      xr: xr(spec, metadata),
      resources: {
        'helm-release-celld': { metadata: { name: 'r'.repeat(53) } },
        's3-bucket': {},
        'pod-identity': {},
        namespace: {},
        fleet: {},
      },
      required: {},
    });
    const names = Object.values(resources).map(
      ({ object }) => stringAt(object, 'metadata', 'name') ?? '',
    );
    const illegal = names.filter(
      (name) => name.length > 253 || !/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/u.test(name),
    );
    assert.deepEqual(illegal, []);
    const podIdentity = resources['pod-identity']?.object;
    // The PodIdentity is an XR itself, whose name becomes a label; its role is named in IAM.
    assert.ok((stringAt(podIdentity, 'metadata', 'name') ?? '').length <= 63);
    const role = composeWith({ ...spec, releaseName: 'r' }, {}).resources['pod-identity']?.object;
    assert.match(stringAt(role, 'spec', 'roleNameOverride') ?? '', /^[a-z0-9][a-z0-9.-]{0,62}$/u);
    assert.equal(
      stringAt(resources['helm-release-celld']?.object, 'metadata', 'name'),
      'r'.repeat(53),
    );
    assert.equal(stringAt(status, 'service', 'name'), `${'r'.repeat(53)}-celld`);
    assert.equal(
      (
        stringAt(
          resources['fleet']?.object,
          'spec',
          'forProvider',
          'manifest',
          'metadata',
          'name',
        ) ?? ''
      ).length,
      52,
    );
    const bucketName = stringAt(
      resources['s3-bucket']?.object,
      ...['metadata', 'annotations', 'crossplane.io/external-name'],
    );
    assert.equal(bucketName, `hops-celld-${'x'.repeat(52)}`);
    assert.equal(bucketName.length, 63);
  });
});
