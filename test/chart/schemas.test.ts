// Every object of every golden, against the schemas of Kubernetes. modes.test.ts and stack.test.ts hold
// the goldens to what Helm renders.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { projectFile } from '../../src/cli/project.ts';
import { formatFieldPath } from '../../src/core/field-path.ts';
import { kindCatalog } from '../../src/schema/kind-catalog.ts';
import { readObjects } from '../support/helm.ts';

const folder = projectFile('test', 'chart', 'expected');
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.yaml'))
  .sort();
const kinds = kindCatalog(projectFile('schemas', 'kinds'));

describe('test/chart/expected', () => {
  for (const file of files) {
    it(`${file}: Kubernetes takes every object`, () => {
      const objects = readObjects(readFileSync(`${folder}/${file}`, 'utf8'));
      assert.equal(objects.length >= 5, true);
      const findings = objects.flatMap((object) => {
        const schema = kinds(object.apiVersion, object.kind);
        if (schema === undefined) return [`${object.kind} has no schema here`];
        return schema
          .check(object)
          .map(({ path, message }) => `${object.kind}: ${formatFieldPath(path)}: ${message}`);
      });
      assert.deepEqual(findings, []);
    });
  }
});
