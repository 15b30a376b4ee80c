import { drivingSeries, type LoadedMarket } from '../../assembly/backtest/index.js';
import { nominalIntervalMs } from '../../domain/index.js';
import type { ChartSeries } from '../../page/index.js';

/** What has candles to be drawn: a market, or what a journal was told of one. */
interface ChartedMarket {
  readonly series: readonly Pick<
    LoadedMarket['series'][number],
    'instrumentId' | 'interval' | 'rows'
  >[];
}

/** The candles that a page draws: of each instrument those that drive its path. To be read while the market is open. */
export function chartSeries({ series }: ChartedMarket): readonly ChartSeries[] {
  return [...drivingSeries(series).values()].map(({ instrumentId, interval, rows }) => ({
    instrument: instrumentId,
    interval,
    stepMs: nominalIntervalMs(interval),
    rows,
  }));
}
