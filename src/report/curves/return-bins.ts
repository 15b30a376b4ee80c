/** Values from `from` (inclusive) to `to` (exclusive). The last bin includes `to`. */
export interface ReturnBin {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

/** Bins that a picture can show. */
export const MOST_BINS = 40;

/** Counts values in bins of equal width. 0 is a bin edge, so that no bin holds both losses and profits. Empty without values. */
export function binReturns(values: readonly number[]): readonly ReturnBin[] {
  if (values.length === 0) return [];
  const low = values.reduce((least, value) => Math.min(least, value), 0);
  const high = values.reduce((largest, value) => Math.max(largest, value), 0);
  if (low === high) return [{ from: 0, to: 0, count: values.length }];
  const width = roundWidth((high - low) / MOST_BINS);
  const first = Math.floor(low / width);
  const bins = Array.from({ length: Math.max(1, Math.ceil(high / width) - first) }, () => 0);
  for (const value of values) {
    const place = Math.min(Math.floor(value / width) - first, bins.length - 1);
    bins[place] = (bins[place] ?? 0) + 1;
  }
  return bins.map((count, place) => ({
    from: (first + place) * width,
    to: (first + place + 1) * width,
    count,
  }));
}

/** Rounds a width up to 1, 2 or 5 times a power of ten. */
function roundWidth(width: number): number {
  const power = 10 ** Math.floor(Math.log10(width));
  const step = [1, 2, 5, 10].find((candidate) => candidate * power >= width) ?? 10;
  return step * power;
}
