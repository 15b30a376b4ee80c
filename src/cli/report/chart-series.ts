import { drivingSeries, type LoadedMarket } from '../../assembly/backtest/index.js';
import { nominalIntervalMs } from '../../domain/index.js';
import type { ChartSeries } from '../../page/index.js';

/** The candles that a page draws: of each instrument those that drive its path. To be read while the market is open. */
export function chartSeries({ series }: Pick<LoadedMarket, 'series'>): readonly ChartSeries[] {
  return [...drivingSeries(series).values()].map(({ instrumentId, interval, rows }) => ({
    instrument: instrumentId,
    interval,
    stepMs: nominalIntervalMs(interval),
    rows,
  }));
}
