import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { main } from '../../src/cli/main.ts';
import { listAt, stringAt } from '../../src/core/json.ts';
import { parseYaml } from '../../src/manifests/yaml.ts';

async function run(
  ...argv: readonly string[]
): Promise<{ code: number; out: string; err: string }> {
  let [out, err] = ['', ''];
  const code = await main(argv, {
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
  });
  return { code, out, err };
}

describe('celld-stack install-manifests', () => {
  it('prints manifests that point at one registry and at each other', async () => {
    const { code, out, err } = await run('install-manifests', '--registry', '127.0.0.1:5000/dev');
    const documents = parseYaml(out, 'stdout').documents.map(({ value }) => value);
    assert.deepEqual({ code, err }, { code: 0, err: '' });
    assert.deepEqual(
      documents.map((one) => `${stringAt(one, 'kind')} ${stringAt(one, 'metadata', 'name')}`),
      [
        'DeploymentRuntimeConfig celld-stack-function',
        'Function dev-function-celld-stack',
        'Configuration dev-celld-stack',
        'ClusterRole celld-stack-edit',
        'ClusterRole celld-stack-view',
        'ProviderConfig my-cluster',
        'ProviderConfig my-cluster',
        'ProviderConfig my-cluster',
        'ClusterRole celld-stack-target',
      ],
    );
    assert.deepEqual(
      documents.map((one) => stringAt(one, 'spec', 'package')).filter((one) => one !== undefined),
      ['127.0.0.1:5000/dev/function-celld-stack:v0.1.0', '127.0.0.1:5000/dev/celld-stack:v0.1.0'],
    );
    assert.equal(
      stringAt(documents[1], 'spec', 'runtimeConfigRef', 'name'),
      stringAt(documents[0], 'metadata', 'name'),
    );
    assert.equal(listAt(documents[8], 'rules').length, 4);
  });

  it('refuses a registry whose packages could not be installed', async () => {
    const { code, out, err } = await run(
      'install-manifests',
      '--registry',
      `ghcr.io/${'x'.repeat(60)}`,
    );
    assert.deepEqual({ code, out }, { code: 1, out: '' });
    assert.match(err, /^.*error PACKAGE_METADATA: metadata\.name: the repository/mu);
  });
});
