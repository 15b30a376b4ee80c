import { nounOf } from '../../domain/index.js';
import { MOST_CANDLES } from '../../feed/index.js';
import type { TwiceRun } from '../../assembly/backtest/index.js';

type Warmup = TwiceRun['warmups'][number];

/** Describes how many candles of a stream a start needs, and where a bot gets them. */
export function describeWarmup({ instrumentId, interval, candles, least }: Warmup): string {
  const count = `${String(candles)} ${nounOf(candles, 'candle')}`;
  const values = candles === least ? '' : `, of which ${String(least)} until the first values`;
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
