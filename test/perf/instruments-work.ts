/** The reference work on many instruments, and on one with candles of several intervals: as strategies, and by hand. */
import type { Archive } from '../../src/archive/index.js';
import type { BacktestConfig } from '../../src/assembly/index.js';
import {
  createInstrumentId,
  HOUR_MS,
  MINUTE_MS,
  present,
  type Candle,
  type CandleColumns,
  type InstrumentId,
  type Interval,
  type Size,
} from '../../src/domain/index.js';
import { CandleStrategy, sma } from '../../src/strategy/index.js';
import { createMemoryArchive } from '../support/memory-archive.js';
import type { HandResult } from './reference-by-hand.js';
import { createReferenceCandles, createReferenceConfig, REFERENCE_ID } from './reference-work.js';

const ONE_COIN: Size = { quantity: '1' };
const FAST = 10;
const SLOW = 30;
const RATIO = SLOW / FAST;

/** Long in each instrument while its SMA(10) > SMA(30), else flat. */
export class ManyLongWhileAbove extends CandleStrategy({}) {
  readonly averages = new Map(
    this.instruments.map(({ instrumentId: instrument }) => [
      instrument,
      {
        fast: this.indicator(sma(FAST), { instrument }),
        slow: this.indicator(sma(SLOW), { instrument }),
        terms: { instrument },
      },
    ]),
  );

  override onCandle({ instrumentId }: Candle): void {
    const { fast, slow, terms } = present(this.averages.get(instrumentId), instrumentId);
    if (fast.value > slow.value) this.enterLong(ONE_COIN, terms);
    else this.exit(terms);
  }
}

/** The reference strategy on the shortest of several intervals. */
export class LongWhileMinutesAbove extends CandleStrategy({}) {
  readonly fast = this.indicator(sma(FAST));
  readonly slow = this.indicator(sma(SLOW));

  override onCandle({ interval }: Candle): void {
    if (interval !== '1min') return;
    if (this.fast.value > this.slow.value) this.enterLong(ONE_COIN);
    else this.exit();
  }
}

function coinOf(index: number): string {
  return `C${String(index)}`;
}

function idOf(index: number): InstrumentId {
  return createInstrumentId('spot', `${coinOf(index)}USDT`);
}

export function createManyConfig(count: number): BacktestConfig {
  const { simulation, ...config } = createReferenceConfig();
  const indexes = Array.from({ length: count }, (_, index) => index);
  const rules = { tradable: true, pricePrecision: 2, quantityPrecision: 5 };
  return {
    ...config,
    instruments: indexes.map((index) => ({
      kind: 'spot',
      instrumentId: idOf(index),
      symbol: `${coinOf(index)}USDT`,
      base: coinOf(index),
      quote: 'USDT',
      intervals: ['1min'],
    })),
    simulation: { ...simulation, rules: new Map(indexes.map((index) => [idOf(index), rules])) },
  };
}

/** Candles of each instrument, each from its own walk. */
export function createManyCandles(count: number, rows: number): readonly CandleColumns[] {
  return Array.from({ length: count }, (_, index) => createReferenceCandles(rows, index + 1));
}

export function createManyArchive(candles: readonly CandleColumns[]): Archive {
  return createMemoryArchive(
    candles.map((columns, index) => ({
      instrumentId: idOf(index),
      interval: '1min',
      columns,
    })),
  );
}

/** State of one instrument in the loop by hand. */
class HandInstrument {
  fast = 0;
  slow = 0;
  held = false;
  readonly columns: CandleColumns;

  constructor(columns: CandleColumns) {
    this.columns = columns;
  }
}

/**
 * {@link ManyLongWhileAbove} by hand, minute by minute: the candle of each instrument, then the equity of all.
 *
 * `trades`: false to hold nothing, as a strategy that never trades.
 */
export function runManyByHand(candles: readonly CandleColumns[], trades = true): HandResult {
  const instruments = candles.map((columns) => new HandInstrument(columns));
  const rows = present(candles[0], 'candles').close.length;
  let [cash, equity, highest, fills] = [10_000_000, 0, 0, 0];
  for (let row = 0; row < rows; row += 1) {
    equity = 0;
    for (const instrument of instruments) {
      const { open, close } = instrument.columns;
      const last = close[row] as number;
      if (instrument.held) equity += last;
      if (!trades) continue;
      instrument.fast += last;
      instrument.slow += last;
      if (row >= FAST) instrument.fast -= close[row - FAST] as number;
      if (row >= SLOW) instrument.slow -= close[row - SLOW] as number;
      if (row < SLOW - 1 || row + 1 === rows) continue;
      // Exact sums of prices lie on the tick grid. The tolerance covers the rounding of floats.
      const isAbove = instrument.fast * RATIO - instrument.slow > 0.005;
      if (isAbove === instrument.held) continue;
      const price = open[row + 1] as number;
      // The next open equals this close, so booking the trade now changes the equity only by the fee.
      cash += (instrument.held ? price : -price) - price * 0.001;
      equity += instrument.held ? -price : price;
      instrument.held = isAbove;
      fills += 1;
    }
    equity += cash;
    if (equity > highest) highest = equity;
  }
  return { cash: highest, equity, fills };
}

const INTERVALS: readonly Interval[] = ['1min', '5min', '1h'];

export function createIntervalsConfig(): BacktestConfig {
  const { instruments, ...config } = createReferenceConfig();
  return {
    ...config,
    instruments: instruments.map((instrument) => ({ ...instrument, intervals: INTERVALS })),
  };
}

/** Candles of 1 minute from a full hour on, and the candles of 5 minutes and an hour that they form. */
export function createIntervals(rows: number): ReadonlyMap<Interval, CandleColumns> {
  const walk = createReferenceCandles(rows);
  const start = present(walk.openTime[0], 'a candle');
  const first = (Math.ceil(start / HOUR_MS) * HOUR_MS - start) / MINUTE_MS;
  const hours = Math.floor((rows - first) / 60);
  const minutes = cut(walk, first, first + hours * 60);
  return new Map([
    ['1min', minutes],
    ['5min', join(minutes, 5)],
    ['1h', join(minutes, 60)],
  ]);
}

function cut(columns: CandleColumns, from: number, to: number): CandleColumns {
  const { openTime, open, high, low, close, volume } = columns;
  return {
    openTime: openTime.slice(from, to),
    open: open.slice(from, to),
    high: high.slice(from, to),
    low: low.slice(from, to),
    close: close.slice(from, to),
    volume: volume.slice(from, to),
  };
}

function join(minutes: CandleColumns, each: number): CandleColumns {
  const length = minutes.close.length / each;
  const column = (of: (from: number, to: number) => number): Float64Array =>
    Float64Array.from({ length }, (_, row) => of(row * each, (row + 1) * each));
  const at = (values: Float64Array, row: number): number => present(values[row], 'a candle');
  return {
    openTime: column((from) => at(minutes.openTime, from)),
    open: column((from) => at(minutes.open, from)),
    high: column((from, to) => Math.max(...minutes.high.subarray(from, to))),
    low: column((from, to) => Math.min(...minutes.low.subarray(from, to))),
    close: column((_, to) => at(minutes.close, to - 1)),
    volume: column((from, to) => minutes.volume.subarray(from, to).reduce((sum, one) => sum + one)),
  };
}

export function createIntervalsArchive(candles: ReadonlyMap<Interval, CandleColumns>): Archive {
  return createMemoryArchive(
    [...candles].map(([interval, columns]) => ({ instrumentId: REFERENCE_ID, interval, columns })),
  );
}
