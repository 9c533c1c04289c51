// Expressions of Kubernetes' CEL dialect and their values; each also has to compile to the type of its value.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { analyze } from '../../../src/schema/cel/analyze.ts';
import { evaluate } from '../../../src/schema/cel/evaluate.ts';
import { type Node, parseExpression } from '../../../src/schema/cel/expression.ts';
import { CelError } from '../../../src/schema/cel/function-row.ts';
import { typeOfSchema } from '../../../src/schema/cel/type.ts';
import { kindOf, tagged, toValue, type Value } from '../../../src/schema/cel/value.ts';
import { ERRORS, SCHEMA, SELF, VALUES } from '../../support/cel-expressions.ts';

const scope = new Map<string, Value>([['self', toValue(SELF, SCHEMA)]]);
const variables = new Map([
  ['self', { type: typeOfSchema(SCHEMA) ?? { kind: 'dyn' as const }, cost: 1 }],
]);

function parsed(text: string): Node {
  const result = parseExpression(text);
  assert.ok('root' in result, `${text} is no CEL`);
  return result.root;
}

/** A value as plain data: integers as numbers, tagged values by what tells them apart. */
function plain(value: Value): unknown {
  if (typeof value === 'bigint') return Number(value);
  const list = tagged(value, 'list');
  if (list !== undefined) return list.items.map(plain);
  const map = tagged(value, 'map');
  if (map !== undefined) {
    return Object.fromEntries([...map.entries].map(([key, one]) => [String(key), plain(one)]));
  }
  const optional = tagged(value, 'optional');
  if (optional !== undefined) {
    return optional.value === undefined ? 'none' : { some: plain(optional.value) };
  }
  return value;
}

describe('evaluate()', () => {
  for (const [expression, value] of VALUES) {
    it(`gives ${JSON.stringify(value)} for ${expression}`, () => {
      const node = parsed(expression);
      const result = evaluate(node, scope);
      assert.deepEqual(plain(result), value);
      const { type, cost } = analyze(node, variables);
      const compiled = type.kind === 'object' ? 'map' : type.kind;
      if (compiled !== 'dyn') assert.equal(compiled, kindOf(result));
      assert.equal(cost > 0, true);
    });
  }

  for (const [expression, message] of ERRORS) {
    it(`says "${message}" for ${expression}`, () => {
      assert.throws(() => evaluate(parsed(expression), scope), new CelError(message));
    });
  }
});
