// Lists that are sets or maps: no item, and no key, twice.
import type { FieldPath } from '../core/field-path.ts';
import { isList, isObject, type Json, sameJson, sortKeys } from '../core/json.ts';
import { mapKey } from './correlate.ts';
import { type Finding, schemaFinding, valueText } from './finding.ts';
import { type Schema, schemaOfKey, schemaOfValues } from './open-api-schema.ts';
import { remember } from './remember.ts';

/** True for a schema with a list anywhere that is a set or a map. */
const hasKeyedLists: (schema: Schema) => boolean = remember((schema) => {
  const type = schema['x-kubernetes-list-type'];
  const parts = [...Object.values(schema.properties ?? {}), schema.items, schemaOfValues(schema)];
  return (
    type === 'set' ||
    type === 'map' ||
    parts.some((part) => part !== undefined && hasKeyedLists(part))
  );
});

/** The items that appear twice in sets, and the items with the same keys in lists that are maps. */
export function checkLists(value: Json, schema: Schema, path: FieldPath = []): readonly Finding[] {
  if (!hasKeyedLists(schema)) return [];
  if (isList(value)) {
    const { items } = schema;
    return [
      ...duplicates(value, schema, path),
      ...(items === undefined
        ? []
        : value.flatMap((item, index) => checkLists(item, items, [...path, index]))),
    ];
  }
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, child]) => {
    const childSchema = schemaOfKey(schema, key);
    return childSchema === undefined ? [] : checkLists(child, childSchema, [...path, key]);
  });
}

function duplicates(list: readonly Json[], schema: Schema, path: FieldPath): readonly Finding[] {
  const type = schema['x-kubernetes-list-type'];
  if (type !== 'set' && type !== 'map') return [];
  const keys = list.map((item) => (type === 'set' ? item : mapKey(schema, item)));
  return keys.flatMap((key, index) =>
    // Told once for a value, where it appears for the second time.
    keys.slice(0, index).filter((earlier) => sameJson(earlier, key)).length === 1
      ? [
          schemaFinding(
            [...path, index],
            'FieldValueDuplicate',
            `Duplicate value: ${valueText(sortKeys(key))}`,
          ),
        ]
      : [],
  );
}
