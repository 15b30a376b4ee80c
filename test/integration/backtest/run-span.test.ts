import { EMPTY, ignoreElements, map, merge, take, tap, timer, type Observable } from 'rxjs';
import { describe, expect, it } from 'vitest';

import type { SimulationConfig } from '../../../src/assembly/index.js';
import {
  DAY_MS,
  HOUR_MS,
  MINUTE_MS,
  SECOND_MS,
  type Candle,
  type CandleSeries,
  type InstrumentId,
  type Interval,
  type OrderIntent,
} from '../../../src/domain/index.js';
import { buildResult, type RunRecord } from '../../../src/report/index.js';
import { CandleStrategy, enterLong, Strategy, type Market } from '../../../src/strategy/index.js';
import { columnsOf } from '../../support/candle-columns.js';
import { BTC, ETH, replaySeries } from '../../support/replay.js';

/** 2025-01-06T00:00:00Z, a Monday: weeks begin then. */
const START = Date.UTC(2025, 0, 6);

const LENGTHS = { '1min': MINUTE_MS, '1h': HOUR_MS, '1week': 7 * DAY_MS } as const;

/** Flat candles, each 1 above the previous one. */
function flat(interval: keyof typeof LENGTHS, count: number, instrumentId: InstrumentId = BTC) {
  const rows = Array.from({ length: count }, (_, row) => {
    const price = 100 + row;
    const time = START + row * LENGTHS[interval];
    return { time, open: price, high: price, low: price, close: price, volume: 1_000 };
  });
  return { instrumentId, interval: interval as Interval, columns: columnsOf(rows) };
}

interface Told {
  readonly record: RunRecord;
  /** Close times of the candles that the strategy received, in minutes from the start. */
  readonly closes: Readonly<Record<string, readonly number[]>>;
}

const minutesOf = (time: number): number => (time - START) / MINUTE_MS;

/** Holds 1 from the first close on, and notes every candle. */
async function holding(
  series: readonly CandleSeries[],
  simulation: Partial<SimulationConfig>,
): Promise<Told> {
  const closes: Record<string, number[]> = {};
  class Holds extends Strategy({}) {
    override intents(market: Market): Observable<OrderIntent> {
      const heard$ = market.slices$.pipe(
        tap((slice) => {
          for (const { interval, closeTime } of slice)
            (closes[interval] ??= []).push(minutesOf(closeTime));
        }),
        ignoreElements(),
      );
      const entry$ = market.candles$().pipe(
        take(1),
        map(() => enterLong({ quantity: '1' }, { limitPrice: '200' })),
      );
      return merge(entry$, heard$);
    }
  }
  return { record: await replaySeries(Holds, series, simulation), closes };
}

describe('the end of a run', () => {
  it('is `to`, not the close of a coarse candle that is still open', async () => {
    const series = [flat('1min', 180), flat('1h', 3)];

    const { record, closes } = await holding(series, { to: START + 90 * MINUTE_MS });

    expect(record.run.to).toBe(START + 90 * MINUTE_MS);
    expect(closes['1min']?.at(-1)).toBe(90);
    expect(closes['1h']).toEqual([60]);
    expect(record.run.candles).toBe(91);
    expect(buildResult(record).equityCurve.at(-1)?.[0]).toBe(START + 90 * MINUTE_MS);
  });

  it('is the end of the traded data, even within a coarse candle', async () => {
    const series = [flat('1h', 24 * 10), flat('1week', 2)];

    const { record, closes } = await holding(series, {});

    expect(record.run.to).toBe(START + 10 * DAY_MS);
    expect(closes['1week']).toEqual([(7 * DAY_MS) / MINUTE_MS]);
    expect(record.dayEquity.time).toHaveLength(10);
    expect(record.closes.count).toBe(24 * 10);
  });

  it('may lie within a candle, which is neither delivered nor traded', async () => {
    const { record, closes } = await holding([flat('1min', 10)], {
      to: START + 5 * MINUTE_MS + 30 * SECOND_MS,
    });

    expect(record.run.to).toBe(START + 5 * MINUTE_MS + 30 * SECOND_MS);
    expect(closes['1min']).toEqual([1, 2, 3, 4, 5]);
  });

  it('is the end of the data if `to` is later', async () => {
    const { record } = await holding([flat('1min', 10)], { to: START + HOUR_MS });

    expect(record.run.to).toBe(START + 10 * MINUTE_MS);
  });

  it('is `to` also within a gap', async () => {
    const { columns } = flat('1min', 20);
    const rows = [...columns.openTime.keys()].filter((row) => row < 5 || row > 15);
    const cut = columnsOf(
      rows.map((row) => ({ time: columns.openTime[row] ?? 0, close: columns.close[row] ?? 0 })),
    );

    const { record } = await holding([{ instrumentId: BTC, interval: '1min', columns: cut }], {
      to: START + 10 * MINUTE_MS,
    });

    expect(record.run.to).toBe(START + 10 * MINUTE_MS);
  });

  it('is the end of the longer of two series', async () => {
    const { record, closes } = await holding([flat('1min', 10), flat('1h', 1, ETH)], {});

    expect(record.run.to).toBe(START + HOUR_MS);
    expect(closes['1min']).toHaveLength(10);
  });

  it('excludes a candle that would be known later', async () => {
    const { record, closes } = await holding([flat('1min', 10)], {
      to: START + 5 * MINUTE_MS,
      dataDelayMs: 1_500,
    });

    expect(record.run.to).toBe(START + 5 * MINUTE_MS);
    expect(closes['1min']).toEqual([1, 2, 3, 4]);
  });

  it('may come before any candle is known', async () => {
    const { record, closes } = await holding([flat('1min', 10)], {
      to: START + 2 * MINUTE_MS,
      dataDelayMs: 3 * MINUTE_MS,
    });

    expect(closes).toEqual({});
    expect(record.run).toMatchObject({ to: START + 2 * MINUTE_MS, candles: 0 });
    expect(buildResult(record).equity).toMatchObject({ initial: '10000', final: '10000' });
  });

  it('may come before the candles that closed before the start are known', async () => {
    const { record } = await holding([flat('1min', 10)], {
      from: START + 4 * MINUTE_MS,
      to: START + 5 * MINUTE_MS,
      dataDelayMs: 3 * MINUTE_MS,
    });

    expect(record.run).toMatchObject({ to: START + 5 * MINUTE_MS, candles: 0 });
  });

  it('may come before any candle closes', async () => {
    const { record } = await holding([flat('1h', 10)], { to: START + 2 * MINUTE_MS });

    expect(record.run).toMatchObject({ to: START + 2 * MINUTE_MS, candles: 0 });
  });

  it('comes after the last candle is known if there is no `to`', async () => {
    const { record, closes } = await holding([flat('1min', 3)], { dataDelayMs: 1_500 });

    expect(record.run.to).toBe(START + 3 * MINUTE_MS + 1_500);
    expect(closes['1min']).toEqual([1, 2, 3]);
  });

  it('is reached by timers, including those at the end', async () => {
    const fired: number[] = [];
    class Waits extends Strategy({}) {
      override intents(): Observable<OrderIntent> {
        timer(5 * MINUTE_MS + 10_000, 10_000).subscribe(() => fired.push(this.now - START));
        return EMPTY;
      }
    }

    await replaySeries(Waits, [flat('1min', 10)], { to: START + 5 * MINUTE_MS + 30 * SECOND_MS });

    expect(fired).toEqual([310_000, 320_000, 330_000]);
  });

  it('ends the duration of the current drawdown', async () => {
    const rows = [100, 100, 90, 90].map((close, row) => ({
      time: START + row * MINUTE_MS,
      open: close,
      high: close,
      low: close,
      close,
    }));
    const series = [{ instrumentId: BTC, interval: '1min' as const, columns: columnsOf(rows) }];

    const { record } = await holding([...series, flat('1min', 10, ETH)], {
      to: START + 5 * MINUTE_MS + 30 * SECOND_MS,
    });

    // From the close at 100, after two minutes, to the end of the run.
    expect(record.closes.maxDrawdownDuration).toBe(3 * MINUTE_MS + 30 * SECOND_MS);
  });

  it('expires orders on their way, and orders that arrive at the end', async () => {
    class Late extends CandleStrategy({}) {
      override onCandle({ closeTime }: Candle): void {
        if (minutesOf(closeTime) >= 4) this.enterLong({ quantity: '1' }, { add: true });
      }
    }

    const record = await replaySeries(Late, [flat('1min', 10)], { to: START + 5 * MINUTE_MS });

    expect(buildResult(record).orders.map(({ time, status }) => [minutesOf(time), status])).toEqual(
      [
        [4, 'filled'],
        [5, 'expired'],
      ],
    );
  });
});

describe('the start of a run within a candle', () => {
  it('delivers the candle whole at its close, and does not count from its open', async () => {
    const { record, closes } = await holding([flat('1min', 10)], {
      from: START + 3 * MINUTE_MS + 30 * SECOND_MS,
      to: START + 6 * MINUTE_MS,
    });

    expect(record.run.from).toBe(START + 3 * MINUTE_MS + 30 * SECOND_MS);
    expect(closes['1min']).toEqual([4, 5, 6]);
  });

  it('delivers a coarse candle whole at its close', async () => {
    const { record, closes } = await holding([flat('1min', 180), flat('1h', 3)], {
      from: START + 30 * MINUTE_MS,
      to: START + 90 * MINUTE_MS,
    });

    expect(record.run.from).toBe(START + 30 * MINUTE_MS);
    expect(closes['1h']).toEqual([60]);
    expect(closes['1min']?.at(0)).toBe(31);
  });

  it('trades nothing on a candle that opened before the start', async () => {
    class Early extends Strategy({}) {
      override readonly warmup = 1;

      override intents(): Observable<OrderIntent> {
        // The warm-up candle opens at 00:02.
        return timer(100 * SECOND_MS).pipe(
          map(() => enterLong({ quantity: '1' }, { limitPrice: '200' })),
        );
      }
    }

    const record = await replaySeries(Early, [flat('1min', 10)], {
      from: START + 3 * MINUTE_MS + 30 * SECOND_MS,
      to: START + 6 * MINUTE_MS,
    });

    expect(buildResult(record).orders.map(({ time }) => time - START)).toEqual([220_000]);
    expect([...record.fills].map(({ record: { eventTime } }) => minutesOf(eventTime))).toEqual([4]);
  });
});

describe('a day that ends while no candle closes', () => {
  it('keeps the equity of its end: a sale soon afterwards belongs to the next day', async () => {
    class SellsByNight extends CandleStrategy({}) {
      constructor(...given: ConstructorParameters<ReturnType<typeof CandleStrategy>>) {
        super(...given);
        this.every('@daily 00:01', () => {
          this.exit();
        });
      }

      override onCandle({ closeTime }: Candle): void {
        if (closeTime === START + HOUR_MS) this.enterLong({ quantity: '1' }, { limitPrice: '200' });
      }
    }

    const record = await replaySeries(SellsByNight, [flat('1h', 30)], {
      dataDelayMs: 30 * MINUTE_MS,
    });
    const { equityCurve } = buildResult(record);

    expect(
      [...record.fills].map(({ record: { side, eventTime } }) => [side, minutesOf(eventTime)]),
    ).toEqual([
      ['buy', 90],
      ['sell', 24 * 60 + 1],
    ]);
    // Bought at 101. The last known close is 122, at 23:00. The sale is at 124.
    expect(equityCurve.slice(1)).toEqual([
      [START + DAY_MS, '10021'],
      [record.run.to, '10023'],
    ]);
  });
});
