import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { ownComposition, ownXrd } from '../../src/cli/own-stack.ts';
import { projectFile } from '../../src/cli/project.ts';
import { stringAt } from '../../src/core/json.ts';
import { parseYaml } from '../../src/manifests/yaml.ts';

describe('ownXrd()', () => {
  it('is the XRD in apis/celldstacks', () => {
    const file = projectFile('apis', 'celldstacks', 'definition.yaml');
    const [document] = parseYaml(readFileSync(file, 'utf8'), file).documents;
    assert.deepEqual(ownXrd().object, document?.value);
  });
});

describe('ownComposition()', () => {
  it('composes the kind that the XRD defines', () => {
    assert.equal(
      stringAt(ownComposition().object, 'spec', 'compositeTypeRef', 'kind'),
      stringAt(ownXrd().object, 'spec', 'names', 'kind'),
    );
  });
});
