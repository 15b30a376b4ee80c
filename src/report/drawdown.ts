import { InvariantError, type EpochMs } from '../domain/index.js';
import type { Figure } from './figure.js';
import type { CandleEquity } from './run-record.js';

export interface DrawdownFigures {
  /** Deepest fall below the highest equity before it: 0.2 is 20 %. */
  readonly maxDrawdown: Figure;
  /** Milliseconds. */
  readonly maxDrawdownDuration: Figure;
}

/**
 * Drawdown on the closes of the execution interval, the start counting as the first peak:
 *
 * - maxDrawdown = max over closes of (peak − equity) ÷ peak, the peak being the highest equity so far; in 0…1 while equity is not
 *   negative
 * - maxDrawdownDuration = longest time from the last close at a peak to the first close at or above it again, or to the end of the run
 *   where it was not regained
 *
 * Null without closes, or without money at the start.
 * @throws {InvariantError} `E_CANDLE_EQUITY` when a close has no time, or no finite equity.
 */
export function drawdownFigures(
  start: { readonly time: EpochMs; readonly value: number },
  { time, value }: CandleEquity,
): DrawdownFigures {
  let peak = start.value;
  if (value.length === 0 || peak <= 0) return { maxDrawdown: null, maxDrawdownDuration: null };
  let peakTime = start.time;
  let isUnderwater = false;
  let deepest = 0;
  let longest = 0;
  for (let index = 0; index < value.length; index += 1) {
    const equity = value[index] ?? Number.NaN;
    const now = time[index] ?? Number.NaN;
    if (!Number.isFinite(equity) || !Number.isFinite(now)) {
      throw new InvariantError(
        'E_CANDLE_EQUITY',
        `expected a time and a finite equity at close ${String(index)}, received ${String(time[index])} and ${String(equity)}`,
      );
    }
    if (equity < peak) {
      isUnderwater = true;
      deepest = Math.max(deepest, (peak - equity) / peak);
      longest = Math.max(longest, now - peakTime);
    } else {
      if (isUnderwater) longest = Math.max(longest, now - peakTime);
      isUnderwater = false;
      peak = equity;
      peakTime = now;
    }
  }
  return { maxDrawdown: deepest, maxDrawdownDuration: longest };
}
