import { interval, map, skip, type Observable } from 'rxjs';
import { describe, expect, it } from 'vitest';

import { replayBacktest } from '../../../src/assembly/index.js';
import {
  formatFixed,
  HOUR_MS,
  MINUTE_MS,
  type CandleSeries,
  type OrderIntent,
} from '../../../src/domain/index.js';
import type { RunRecord } from '../../../src/report/index.js';
import { enterLong, exit, Strategy } from '../../../src/strategy/index.js';
import { aBacktestConfig } from '../../support/backtest-config.js';
import { columnsOf, type CandleRow } from '../../support/candle-columns.js';
import { createMemoryArchive } from '../../support/memory-archive.js';
import { BTC } from '../../support/replay.js';

const HOURS = 6;

/** Minutes that only rise or only fall, so that the path of each is known: five up, then five down. */
const MINUTES: readonly CandleRow[] = Array.from({ length: HOURS * 60 }, (_, minute) => {
  const priceAt = (at: number): number => 100 + (at % 10 < 5 ? at % 10 : 10 - (at % 10)) / 10;
  const [open, close] = [priceAt(minute), priceAt(minute + 1)];
  const [low, high] = [Math.min(open, close), Math.max(open, close)];
  return { time: minute * MINUTE_MS, open, high, low, close };
});

const HOURLY: readonly CandleRow[] = Array.from({ length: HOURS }, (_, hour) => ({
  time: hour * HOUR_MS,
  open: 100,
  high: 100.5,
  low: 100,
  close: 100,
}));

const SERIES: readonly CandleSeries[] = [
  { instrumentId: BTC, interval: '1h', columns: columnsOf(HOURLY) },
  { instrumentId: BTC, interval: '1min', columns: columnsOf(MINUTES) },
];

/** Buys at the market, then with a limit, then exits, every 23 minutes. */
class Hourly extends Strategy({}) {
  override intents(): Observable<OrderIntent> {
    return interval(23 * MINUTE_MS).pipe(
      // Candles of an hour give no price before the first one closes.
      skip(3),
      map((turn) => {
        if (turn % 3 === 0) return enterLong({ notional: '500' }, { add: true });
        return turn % 3 === 1
          ? enterLong({ notional: '300' }, { limitPrice: '100.13', add: true })
          : exit();
      }),
    );
  }
}

function run(intervalName: '1h' | '1min', path: 'finer' | 'nearest'): Promise<RunRecord> {
  return replayBacktest({
    config: aBacktestConfig({ instrumentId: BTC, interval: intervalName, simulation: { path } }),
    archive: createMemoryArchive(SERIES),
    strategyClass: Hourly,
    sourceHash: 'test',
  });
}

function fillsOf({ fills }: RunRecord): readonly string[] {
  return Array.from(fills, ({ record: { eventTime, side, price, quantity, liquidity } }) =>
    [eventTime, side, formatFixed(quantity), '@', formatFixed(price), liquidity].join(' '),
  );
}

describe('hourly candles with the path of their minutes', () => {
  it('fill the same orders at the same times and prices as a run on the minutes', async () => {
    const fine = fillsOf(await run('1min', 'nearest'));

    expect(fine.length).toBeGreaterThan(8);
    expect(fillsOf(await run('1h', 'finer'))).toEqual(fine);
  });

  it('fill differently with the path of the hours alone', async () => {
    const fine = fillsOf(await run('1min', 'nearest'));

    expect(fillsOf(await run('1h', 'nearest'))).not.toEqual(fine);
  });
});
