import { MINUTE_MS, type EpochMs, type Fixed } from '../../../src/domain/index.js';

/** Settlements of a contract, as test input. */
export interface NaiveFunding {
  /** Oldest first, each on a minute. */
  readonly stored: readonly { readonly time: EpochMs; readonly rate: Fixed }[];
  readonly constant: { readonly rate: Fixed; readonly intervalMs: number } | undefined;
}

export interface NaiveSettlement {
  readonly time: EpochMs;
  readonly rate: Fixed;
}

/** Every settlement from `from` to `to`. It checks each minute for a settlement (DESIGN R11). */
export function settlementsOf(
  { stored, constant }: NaiveFunding,
  from: EpochMs,
  to: EpochMs,
): readonly NaiveSettlement[] {
  const first = stored[0]?.time;
  const last = stored.at(-1)?.time;
  const found: NaiveSettlement[] = [];
  for (let time = Math.ceil(from / MINUTE_MS) * MINUTE_MS; time <= to; time += MINUTE_MS) {
    const own = stored.find((each) => each.time === time);
    const isOutside = first === undefined || last === undefined || time < first || time > last;
    if (own !== undefined) found.push(own);
    else if (constant !== undefined && isOutside && time % constant.intervalMs === 0)
      found.push({ time, rate: constant.rate });
  }
  return found;
}
