// The budgets that the estimated costs of rules must keep to.
import type { RuleCost } from './check-rule-definitions.ts';
import type { Finding } from './finding.ts';
import { definitionFinding, type SchemaPlace } from './schema-place.ts';

/** The API server's limits: of one expression, and of all expressions of a schema together. */
const LIMIT = 10_000_000;
const TOTAL_LIMIT = 100_000_000;

/** How many of the most expensive rules the API server names when all together cost too much. */
const NAMED = 4;

/** What costs too much, in the order the API server complains. */
export function costFindings(costs: readonly RuleCost[], root: SchemaPlace): readonly Finding[] {
  const single = costs
    .filter(({ cost }) => cost > LIMIT)
    .map(({ place, cost }) => {
      const name = place.path.at(-1) === 'rule' ? 'rule' : 'messageExpression';
      return definitionFinding(place, 'RULE_COST', excess(`estimated ${name} cost`, cost, LIMIT));
    });
  const total = costs.reduce((sum, { cost }) => sum + cost, 0);
  if (total <= TOTAL_LIMIT) return single;
  const named = [...costs].sort((a, b) => b.cost - a.cost).slice(0, NAMED);
  return [
    ...single,
    ...named
      .filter(({ cost }) => cost > TOTAL_LIMIT / 100)
      .map(({ place }) =>
        definitionFinding(
          place,
          'RULE_COST',
          'Forbidden: contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema',
        ),
      ),
    definitionFinding(
      root,
      'RULE_COST',
      excess(
        'x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema',
        total,
        TOTAL_LIMIT,
      ),
    ),
  ];
}

function excess(name: string, cost: number, limit: number): string {
  const factor = cost / limit;
  const shown =
    factor > 100 ? 'more than 100x' : `${factor < 1.5 ? factor.toFixed(6) : factor.toFixed(1)}x`;
  return `Forbidden: ${name} exceeds budget by factor of ${shown} (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)`;
}
