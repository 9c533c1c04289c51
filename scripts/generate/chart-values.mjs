// The table of the chart's values in its README, from values.yaml and the comments above each value.
import { isMap, parseDocument } from 'yaml';

const START = '<!-- values: generated from values.yaml by npm run generate -->';
const END = '<!-- end of values -->';

/** The README with a fresh table between its marks. */
export function chartReadme(readme, valuesText, schema) {
  const [before, after] = [readme.split(START)[0], readme.split(END)[1]];
  if (after === undefined)
    throw new Error('charts/celld/README.md has lost its marks for the values');
  const rows = leaves(parseDocument(valuesText).contents, schema, []).map(
    ({ path, value, comment }) =>
      `| \`${path}\` | \`${JSON.stringify(value)}\` | ${comment.replaceAll('|', '\\|')} |`,
  );
  const table = ['| Value | Default | Description |', '| --- | --- | --- |', ...rows].join('\n');
  return `${before}${START}\n\n${table}\n\n${END}${after}`;
}

/** Every value that has a meaning of its own: maps whose keys the schema lists are opened. */
function leaves(map, schema, path) {
  return map.items.flatMap(({ key, value }, index) => {
    const here = [...path, key.value];
    const inner = schema.properties[key.value];
    // The parser gives the comment above a map's first key to the map itself.
    const comment = index === 0 && path.length > 0 ? map.commentBefore : key.commentBefore;
    if (isMap(value) && inner?.properties !== undefined && !comment) {
      return leaves(value, inner, here);
    }
    if (!comment) throw new Error(`values.yaml: ${here.join('.')} has no comment above it`);
    const text = comment.split(/\n\s*\n/).at(-1);
    return [
      {
        path: here.join('.'),
        value: value.toJSON(),
        comment: text
          .split('\n')
          .map((line) => line.trim())
          .join(' '),
      },
    ];
  });
}
