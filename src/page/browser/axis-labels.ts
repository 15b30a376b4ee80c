const UNITS = [
  { name: 'G', unit: 1e9 },
  { name: 'M', unit: 1e6 },
  { name: 'k', unit: 1e3 },
] as const;

/** Numbers of an axis are written in units where one of them is as large. */
const SHORT_FROM = 1e4;

/** The smallest step that is read well in a unit: of smaller ones the numbers are written out. */
const LEAST_STEP = 0.0099;
const MOST_DECIMALS = 12;

/**
 * Labels of an axis, with as many digits as tell each from its neighbors.
 *
 * @param ticks - in their order; null where an axis has a line alone, as logarithmic ones do.
 */
export function axisLabels(
  ticks: readonly (number | null)[],
  kind: 'number' | 'percent',
): string[] {
  const known = ticks.filter((tick) => tick !== null);
  const isShort = known.some((tick) => Math.abs(tick) >= SHORT_FROM);
  return ticks.map((tick) => {
    if (tick === null) return '';
    const step = stepAt(tick, known);
    if (kind === 'percent') return `${write(tick * 100, step * 100)} %`;
    const short = UNITS.find(({ unit }) => Math.abs(tick) >= unit);
    return !isShort || short === undefined || step < short.unit * LEAST_STEP
      ? write(tick, step)
      : `${write(tick / short.unit, step / short.unit)}${short.name}`;
  });
}

/** How far the nearest other tick is; of one that is alone, a part of its size. */
function stepAt(tick: number, ticks: readonly number[]): number {
  const others = ticks.map((other) => Math.abs(other - tick)).filter((away) => away > 0);
  return others.length === 0 ? Math.abs(tick) / 100 : Math.min(...others);
}

/** With the fewest decimals that come within a tenth of the step. */
function write(value: number, step: number): string {
  let decimals = 0;
  while (decimals < MOST_DECIMALS && Math.abs(Number(value.toFixed(decimals)) - value) > step / 10)
    decimals += 1;
  return value
    .toLocaleString('en-US', {
      minimumFractionDigits: decimals,
      maximumFractionDigits: decimals,
      signDisplay: 'negative',
    })
    .replace('-', '−');
}
