// docs/conditions.md names every reason the function can give, and none that it cannot.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { projectFile } from '../../src/cli/project.ts';

const source = readdirSync(projectFile('src', 'compose'))
  .filter((name) => name.endsWith('.ts'))
  .map((name) => readFileSync(projectFile('src', 'compose', name), 'utf8'))
  .join('\n');

/** Reasons as they stand in the source: the first argument of yes, no and warning, and `reason:`. */
function reasons(): readonly string[] {
  const literal = /\b(?:yes|no|warning)\(\s*'([A-Z]\w+)'|\breason: '([A-Z]\w+)'/gu;
  const plain = [...source.matchAll(literal)].map((match) => match[1] ?? match[2] ?? '');
  // One of two verdicts on an object: `[KEYS.bucket, 'Bucket']`, `lacking(outlook, KEYS.namespace, 'Namespace')`.
  const objects = [...source.matchAll(/\bkey, '([A-Z]\w+)'|KEYS\.\w+, '([A-Z]\w+)'/gu)].map(
    (match) => match[1] ?? match[2] ?? '',
  );
  const made = objects.flatMap((name) => [`${name}NotReady`, `${name}Failed`]);
  return [...new Set([...plain, ...made])].sort();
}

describe('docs/conditions.md', () => {
  it('lists exactly the reasons there are', () => {
    const text = readFileSync(projectFile('docs', 'conditions.md'), 'utf8');
    const listed = text
      .split('\n')
      .filter((line) => line.startsWith('| `'))
      .flatMap((line) =>
        [...(line.split('|')[1] ?? '').matchAll(/`(\w+)`/gu)].map((m) => m[1] ?? ''),
      );
    assert.deepEqual([...new Set(listed)].sort(), reasons());
  });
});
