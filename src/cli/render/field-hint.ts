// What a person may have meant by a field that is not there.
import { type FieldPath, formatFieldPath } from '../../core/field-path.ts';
import { type Schema, schemaOfKey } from '../../schema/open-api-schema.ts';

/** The longest list of fields that helps. */
const MOST_FIELDS = 12;

/** The known field whose name is nearest, else all that could stand there, else nothing. */
export function fieldHint(schema: Schema, path: FieldPath): string | undefined {
  const parent = path.slice(0, -1);
  const known = Object.keys(schemaAt(schema, parent)?.properties ?? {}).sort();
  const name = String(path.at(-1));
  const [nearest] = known
    .map((one) => ({ one, distance: editDistance(name.toLowerCase(), one.toLowerCase()) }))
    .filter(({ one, distance }) => distance <= Math.max(1, Math.floor(one.length / 4)))
    .sort((a, b) => a.distance - b.distance);
  if (nearest !== undefined) return `write ${formatFieldPath([...parent, nearest.one])}`;
  if (known.length === 0 || known.length > MOST_FIELDS) return undefined;
  return `choose one of ${known.join(', ')}`;
}

function schemaAt(schema: Schema, path: FieldPath): Schema | undefined {
  return path.reduce<Schema | undefined>((current, part) => {
    if (current === undefined) return undefined;
    return typeof part === 'number' ? current.items : schemaOfKey(current, part);
  }, schema);
}

/** How many letters to add, drop, change or swap with their neighbor make one text the other. */
function editDistance(a: string, b: string): number {
  const rows = Array.from({ length: a.length + 1 }, (_, i) =>
    Array.from({ length: b.length + 1 }, (_, j) => (i === 0 ? j : j === 0 ? i : 0)),
  );
  const at = (i: number, j: number) => rows[i]?.[j] ?? Number.POSITIVE_INFINITY;
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      const swapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const best = Math.min(
        at(i - 1, j) + 1,
        at(i, j - 1) + 1,
        at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1),
        swapped ? at(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY,
      );
      rows[i]?.splice(j, 1, best);
    }
  }
  return at(a.length, b.length);
}
