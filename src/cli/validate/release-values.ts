// The values a Release gives to our own chart, against the chart's schema.
import { readFileSync } from 'node:fs';
import { ARTIFACTS } from '../../compose/artifacts.ts';
import type { FieldPath } from '../../core/field-path.ts';
import { isObject, objectAt, stringAt, valueAt } from '../../core/json.ts';
import { checkValue } from '../../schema/check-value.ts';
import { fromJsonSchema } from '../../schema/json-schema.ts';
import type { Schema } from '../../schema/open-api-schema.ts';
import { pruneUnknown, unknownField } from '../../schema/unknown-fields.ts';
import { projectFile } from '../project.ts';
import { checkResourceNames } from './check-resource-names.ts';
import { type Fault, faultOf, type Subject } from './subject.ts';

let chartSchema: Schema | undefined;

/** What the chart would refuse, or leave without effect, in the values of a Release of it. */
export function checkReleaseValues(subject: Subject): readonly Fault[] {
  const { object } = subject;
  const chart = ['spec', 'forProvider', 'chart'] as const;
  const isOurs =
    stringAt(object, ...chart, 'name') === ARTIFACTS.chart.name &&
    stringAt(object, ...chart, 'repository') === ARTIFACTS.chart.repository;
  return isOurs ? checkValues(subject, ['spec', 'forProvider', 'values']) : [];
}

/** The same for the values in a CelldStack, as long as it installs our own chart. */
export function checkStackValues(subject: Subject): readonly Fault[] {
  const spec = objectAt(subject.object, 'spec');
  if (spec['chartUrl'] !== undefined || spec['chartRepository'] !== undefined) return [];
  return [
    ...checkValues(subject, ['spec', 'values']),
    ...checkValues(subject, ['spec', 'overrideAllValues']),
  ];
}

function checkValues(subject: Subject, path: FieldPath): readonly Fault[] {
  const values = valueAt(subject.object, ...path);
  if (!isObject(values)) return [];
  chartSchema ??= fromJsonSchema(
    JSON.parse(readFileSync(projectFile('charts', 'celld', 'values.schema.json'), 'utf8')),
  );
  return [
    ...pruneUnknown(values, chartSchema).unknown.map(unknownField),
    ...checkValue(values, chartSchema),
  ]
    .map((finding) => faultOf(subject, finding, path))
    .concat(checkResourceNames(subject, values, path));
}
