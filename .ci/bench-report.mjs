/** Compares the figures of two runs of the benchmarks. */

export function describeMachine({ cpu, cores, node, load }) {
  return `${cpu}, ${cores} cores, node ${node}, load ${load}`;
}

/**
 * Describes how much better or worse each figure became. If both figures have a reference from the same run, their ratios to it are
 * compared, which takes out the speed of the machine. Otherwise the figures themselves are compared.
 */
export function compareFigures(before, after) {
  const lines = ['', '# beside the base', describeMachine(before.machine)];
  const differs = ['cpu', 'cores', 'node'].filter(
    (key) => before.machine[key] !== after.machine[key],
  );
  if (differs.length > 0)
    lines.push(`the base is of another machine (${differs.join(', ')}): only ratios compare`);
  const known = new Map(before.figures.map((figure) => [keyOf(figure), figure]));
  for (const figure of after.figures) {
    const old = known.get(keyOf(figure));
    lines.push(`${keyOf(figure).padEnd(52)} ${old === undefined ? 'new' : compare(old, figure)}`);
    known.delete(keyOf(figure));
  }
  if (known.size > 0) lines.push(`${known.size} of the base were not measured now`);
  return lines;
}

function keyOf({ bench, name, unit }) {
  return `${bench}: ${name}, ${unit}`;
}

function compare(old, figure) {
  const byRatio = old.ratio !== undefined && old.reference === figure.reference;
  const change = byRatio ? figure.ratio / old.ratio : figure.median / old.median;
  const gain = figure.better === 'more' ? change : 1 / change;
  const verdict = gain >= 1 ? 'better' : 'worse';
  const how = byRatio ? `beside ${figure.reference}` : 'as measured';
  const overlaps = figure.low <= old.high && old.low <= figure.high;
  const within = overlaps && !byRatio ? ', within the spread' : '';
  return `${gain.toFixed(3)} times as good, ${verdict} ${how}${within}`;
}
