import { nominalIntervalMs, type EpochMs, type InstrumentId } from '../../domain/index.js';
import type { PriceSample } from '../../engine/index.js';
import type { BacktestConfig } from '../../config/index.js';
import { createInstrument } from '../market/create-instruments.js';
import { MarkCursor } from '../replay/mark-cursor.js';
import type { LoadedMarket } from '../market/prepare-market.js';

/** Marks that a live bot is told of as the backtest is. */
export interface ToldMarks {
  /** Contracts whose marks are stored, and at multiples of how many milliseconds a mark candle ends. */
  readonly marks: ReadonlyMap<InstrumentId, number>;
  /** What is known of them when trading begins. */
  readonly warmMarks: readonly PriceSample[];
}

/** When marks are told, and which are known at `from`. */
export function toldMarks(
  { terms }: LoadedMarket,
  { instruments, simulation }: BacktestConfig,
  from: EpochMs,
): ToldMarks {
  const cursor = new MarkCursor(instruments.map(createInstrument), terms);
  return {
    marks: new Map(
      [...terms.stored].flatMap(([id, { marks }]): [InstrumentId, number][] =>
        marks === undefined ? [] : [[id, nominalIntervalMs(marks.interval)]],
      ),
    ),
    warmMarks: cursor.take(from - simulation.dataDelayMs) ?? [],
  };
}
