import { drivingSeries, type LoadedMarket } from '../../assembly/backtest/index.js';
import { nominalIntervalMs } from '../../domain/index.js';
import type { ChartSeries } from '../../page/index.js';

/** Candles of a market, or those that a journal has of one. */
interface ChartedMarket {
  readonly series: readonly Pick<
    LoadedMarket['series'][number],
    'instrumentId' | 'interval' | 'rows'
  >[];
}

/** Returns the candles that a page draws: for each instrument those that drive its path. Read them while the market is open. */
export function chartSeries({ series }: ChartedMarket): readonly ChartSeries[] {
  return [...drivingSeries(series).values()].map(({ instrumentId, interval, rows }) => ({
    instrument: instrumentId,
    interval,
    stepMs: nominalIntervalMs(interval),
    rows,
  }));
}
