import { nounOf, VENUE_INTERVALS, type Interval } from '../../domain/index.js';
import { MOST_CANDLES } from '../../feed/index.js';
import type { TwiceRun } from '../../assembly/backtest/index.js';

type Warmup = TwiceRun['warmups'][number];

/** Whether a venue serves candles of this interval. A bot on paper or live starts with no other, because it makes no candles from finer ones. */
export function isServed(interval: Interval): boolean {
  return VENUE_INTERVALS.some((served) => served === interval);
}

/** Describes how many candles of a stream a start needs, and where a bot gets them. */
export function describeWarmup({ instrumentId, interval, candles, least }: Warmup): string {
  const count = `${String(candles)} ${nounOf(candles, 'candle')}`;
  const values = candles === least ? '' : `, of which ${String(least)} until the first values`;
  if (!isServed(interval))
    return `${instrumentId} ${interval}: ${count}${values}; the venue does not serve this interval: only a backtest has it`;
  const served = MOST_CANDLES - 1;
  const source =
    candles <= served
      ? 'the venue serves them'
      : `the venue serves ${String(served)}; a bot takes the others from its journal or the archive, or waits for them`;
  return `${instrumentId} ${interval}: ${count}${values}; ${source}`;
}

/** Describes indicators that no number of candles is enough for. */
export function describeEndless({ instrumentId, interval, recursive }: Warmup): readonly string[] {
  return recursive.flatMap(({ name, convergence }) =>
    Number.isFinite(convergence)
      ? []
      : [
          `${instrumentId} ${interval}: ${name} never forgets its first candle: after a restart only the journal gives a bot its earlier values, and they always differ from a backtest`,
        ],
  );
}
