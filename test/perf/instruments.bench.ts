/**
 * Runs with more than one series: 50 instruments, in nanoseconds per candle of any instrument; and one instrument with candles of a minute, of 5
 * minutes and of an hour, in candles of a minute per second. Each with a strategy that never trades and with the reference work, beside a loop by
 * hand that does the same; replay.bench.ts has one instrument alone. INSTRUMENTS=N and ROWS=N set the number of instruments and of candles each.
 */
import type { BacktestConfig } from '../../src/assembly/index.js';
import { present } from '../../src/domain/index.js';
import type { StrategyClass } from '../../src/strategy/index.js';
import {
  createIntervals,
  createIntervalsArchive,
  createIntervalsConfig,
  createManyArchive,
  createManyCandles,
  createManyConfig,
  LongWhileMinutesAbove,
  ManyLongWhileAbove,
  runManyByHand,
} from './instruments-work.js';
import { CANDLES_PER_SECOND, measureKinds, NANOSECONDS_PER_CANDLE, type Kind } from './kinds.js';
import { NeverTrades } from './reference-work.js';

const INSTRUMENTS = Number(process.env['INSTRUMENTS'] ?? 50);
const ROWS_EACH = Number(process.env['ROWS'] ?? 130_000);
const MINUTES = Number(process.env['ROWS'] ?? 1_000_000);

const many = createManyConfig(INSTRUMENTS);
const intervals = createIntervalsConfig();

function ofMany(strategyClass: StrategyClass, trades: boolean): Kind {
  const prepare: Kind['prepare'] = () => {
    const candles = createManyCandles(INSTRUMENTS, ROWS_EACH);
    return {
      archive: createManyArchive(candles),
      candles: INSTRUMENTS * ROWS_EACH,
      byHand: () => runManyByHand(candles, trades),
    };
  };
  return { config: many, strategyClass, prepare, figure: NANOSECONDS_PER_CANDLE };
}

/** The loop by hand skips the candles of longer intervals, because nothing is done with them. */
function ofIntervals(config: BacktestConfig, strategyClass: StrategyClass, trades: boolean): Kind {
  const prepare: Kind['prepare'] = () => {
    const candles = createIntervals(MINUTES);
    const minutes = present(candles.get('1min'), '1min');
    return {
      archive: createIntervalsArchive(candles),
      candles: minutes.close.length,
      byHand: () => runManyByHand([minutes], trades),
    };
  };
  return { config, strategyClass, prepare, figure: CANDLES_PER_SECOND };
}

await measureKinds(
  import.meta.url,
  new Map([
    [`${String(INSTRUMENTS)} instruments idle`, ofMany(NeverTrades, false)],
    [`${String(INSTRUMENTS)} instruments`, ofMany(ManyLongWhileAbove, true)],
    ['several intervals idle', ofIntervals(intervals, NeverTrades, false)],
    ['several intervals', ofIntervals(intervals, LongWhileMinutesAbove, true)],
  ]),
);
