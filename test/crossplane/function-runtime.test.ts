import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { functionRuntime } from '../../src/crossplane/function-runtime.ts';

describe('functionRuntime()', () => {
  const object = (annotations: { [key: string]: string }, image: string) => ({
    apiVersion: 'pkg.crossplane.io/v1',
    kind: 'Function',
    metadata: { name: 'f', annotations },
    spec: { package: image },
  });

  it('is Docker, and listens where the official tool does, unless it says otherwise', () => {
    assert.deepEqual(functionRuntime(object({}, 'ghcr.io/a/f:v1'), {}), {
      name: 'f',
      repository: 'ghcr.io/a/f',
      runtime: 'Docker',
      target: 'localhost:9443',
    });
  });

  it('takes an annotation that is set on every Function before its own', () => {
    const own = {
      'render.crossplane.io/runtime': 'Docker',
      'render.crossplane.io/runtime-development-target': 'localhost:1',
    };
    const overrides = { 'render.crossplane.io/runtime': 'Development' };
    assert.deepEqual(functionRuntime(object(own, 'localhost:5000/f@sha256:0'), overrides), {
      name: 'f',
      repository: 'localhost:5000/f',
      runtime: 'Development',
      target: 'localhost:1',
    });
  });
});
