// What keeps an expression from compiling, and what cel-go reckons it costs.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AnalysisError } from '../../../src/schema/cel/analysis.ts';
import { analyze } from '../../../src/schema/cel/analyze.ts';
import { parseExpression } from '../../../src/schema/cel/expression.ts';
import { formatType, typeOfSchema } from '../../../src/schema/cel/type.ts';

const self = typeOfSchema({
  type: 'object',
  properties: {
    text: { type: 'string', maxLength: 10 },
    long: { type: 'string' },
    count: { type: 'integer' },
    list: { type: 'array', maxItems: 5, items: { type: 'string', maxLength: 3 } },
    endless: { type: 'array', items: { type: 'string' } },
    map: { type: 'object', maxProperties: 4, additionalProperties: { type: 'integer' } },
  },
}) ?? { kind: 'dyn' as const };
const variables = new Map([['self', { type: self, cost: 1 }]]);

function analyzed(text: string) {
  const parsed = parseExpression(text);
  if ('error' in parsed) throw new AnalysisError(parsed.error, parsed.at);
  return analyze(parsed.root, variables);
}

describe('analyze()', () => {
  for (const [expression, at, message] of [
    ['self.nope', 4, "undefined field 'nope'"],
    ['other > 1', 0, "undeclared reference to 'other' (in container '')"],
    ['self.text.x', 9, "type 'string' does not support field selection"],
    ['self.text > 1', 10, "found no matching overload for '_>_' applied to '(string, int)'"],
    ['self.text && true', 10, "found no matching overload for '_&&_' applied to '(string, bool)'"],
    ['self.count.trim()', 15, "found no matching overload for 'trim' applied to 'int.()'"],
    ['nothing(1)', 0, "found no matching overload for 'nothing' applied to '(int)'"],
    ["self.list.all(x, 'a')", 17, "expected type 'bool' but found 'string'"],
    [
      'self.count.all(x, true)',
      4,
      "expression of type 'int' cannot be range of a comprehension (must be list, map, or dynamic)",
    ],
    ["[1, 'a']", 0, "expected type 'int' but found 'string'"],
    [
      "true ? 1 : 'a'",
      5,
      "found no matching overload for '_?_:_' applied to '(bool, int, string)'",
    ],
    ['has(self)', 0, 'invalid argument to has() macro'],
    ['self.text ==', 12, 'Syntax error: Unexpected token: EOF'],
  ] as const) {
    it(`refuses ${expression}: ${message}`, () => {
      assert.throws(
        () => analyzed(expression),
        (error) => {
          assert.ok(error instanceof AnalysisError);
          assert.deepEqual([error.message, error.at], [message, at]);
          return true;
        },
      );
    });
  }

  // Reckoned by hand from the prices of cel-go: a name and a field cost 1, a list 10, a character 0.1.
  for (const [expression, type, cost] of [
    ['true', 'bool', 0],
    ['self.count > 1', 'bool', 3],
    ['has(self.text)', 'bool', 1],
    ["self.text == 'abc'", 'bool', 3],
    ["self.text.startsWith('abc')", 'bool', 3],
    // (10 * 4 + 1) * 0.1 = 4.1, so 5, times 8 * 0.25 = 2
    ["self.text.matches('^[a-z]+$')", 'bool', 12],
    ['self.count in [1, 2, 3]', 'bool', 15],
    // range 2, result 1, and 5 times the loop's 3 and the body's 2
    ["self.list.all(x, x == 'a')", 'bool', 2 + 1 + 5 * (3 + 2)],
    ['self.map.exists(k, k == "a")', 'bool', 2 + 1 + 4 * (4 + 2)],
    ['self.list.map(x, x)', 'list(string)', 2 + 11 + 5 * (12 + 1)],
    ['self.list.filter(x, true)', 'list(string)', 2 + 11 + 5 * 13],
    ["self.list.join('-')", 'string', 2 + 7],
    ['self.count > 1 ? self.text : self.long', 'string', 3 + 2],
    ['dyn(self.text)', 'dyn', 3],
  ] as const) {
    it(`prices ${expression} at ${cost}`, () => {
      const found = analyzed(expression);
      assert.deepEqual([formatType(found.type), found.cost], [type, cost]);
    });
  }

  it('knows no bound where the schema has none', () => {
    assert.equal(analyzed("self.endless.all(x, x == 'a')").cost > 1_000_000, true);
    assert.equal(
      analyzed('self.text.startsWith(string(self.count))').cost,
      Number.POSITIVE_INFINITY,
    );
  });
});
