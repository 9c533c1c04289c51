// The values a Release gives to our own chart, against the chart's schema.
import { readFileSync } from 'node:fs';
import { ARTIFACTS } from '../../compose/artifacts.ts';
import type { FieldPath } from '../../core/field-path.ts';
import { isObject, stringAt, valueAt } from '../../core/json.ts';
import { checkValue } from '../../schema/check-value.ts';
import { fromJsonSchema } from '../../schema/json-schema.ts';
import type { Schema } from '../../schema/open-api-schema.ts';
import { pruneUnknown, unknownField } from '../../schema/unknown-fields.ts';
import { projectFile } from '../project.ts';
import { type Fault, faultOf, type Subject } from './subject.ts';

const VALUES: FieldPath = ['spec', 'forProvider', 'values'];

let chartSchema: Schema | undefined;

/** What the chart would refuse, or leave without effect, in the values of a Release of it. */
export function checkReleaseValues(subject: Subject): readonly Fault[] {
  const { object } = subject;
  const chart = ['spec', 'forProvider', 'chart'] as const;
  const isOurs =
    stringAt(object, ...chart, 'name') === ARTIFACTS.chart.name &&
    stringAt(object, ...chart, 'repository') === ARTIFACTS.chart.repository;
  const values = valueAt(object, ...VALUES);
  if (!isOurs || !isObject(values)) return [];
  chartSchema ??= fromJsonSchema(
    JSON.parse(readFileSync(projectFile('charts', 'celld', 'values.schema.json'), 'utf8')),
  );
  return [
    ...pruneUnknown(values, chartSchema).unknown.map(unknownField),
    ...checkValue(values, chartSchema),
  ].map((finding) => faultOf(subject, finding, VALUES));
}
