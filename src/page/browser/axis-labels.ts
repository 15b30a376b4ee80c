import { minusText } from './words.js';

const UNITS = [
  { name: 'G', unit: 1e9 },
  { name: 'M', unit: 1e6 },
  { name: 'k', unit: 1e3 },
] as const;

/** If any number of an axis is at least this large, the axis uses the units k, M and G. */
const SHORT_FROM = 1e4;

/** Smallest readable step in a unit. With a smaller step the numbers are written in full. */
const LEAST_STEP = 0.0099;
const MOST_DECIMALS = 18;

/**
 * Labels of an axis, with enough digits to differ from their neighbors.
 *
 * @param ticks - in their order; null for a grid line without a label, as on logarithmic axes.
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

/** Distance to the nearest other tick. A single tick gets a hundredth of its size. */
function stepAt(tick: number, ticks: readonly number[]): number {
  const others = ticks.map((other) => Math.abs(other - tick)).filter((away) => away > 0);
  return others.length === 0 ? Math.abs(tick) / 100 : Math.min(...others);
}

/** Writes a value with the fewest decimals that differ from it by at most a tenth of the step. */
function write(value: number, step: number): string {
  let decimals = 0;
  while (decimals < MOST_DECIMALS && Math.abs(Number(value.toFixed(decimals)) - value) > step / 10)
    decimals += 1;
  return minusText(
    value.toLocaleString('en-US', {
      minimumFractionDigits: decimals,
      maximumFractionDigits: decimals,
      signDisplay: 'negative',
    }),
  );
}
