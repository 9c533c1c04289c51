// The rows of the release catalog that the chart's templates look up, as JSON that sprig can read.

/** The text of charts/celld/files/releases.gen.json. */
export function chartReleases(lines) {
  const rows = lines.map((line) => {
    const { podIdentity: _, source: __, ...row } = line;
    return row;
  });
  return `${JSON.stringify({ lines: rows }, undefined, 2)}\n`;
}
