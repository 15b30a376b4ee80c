import { nominalIntervalMs, type EpochMs, type InstrumentId } from '../../domain/index.js';
import type { PriceSample } from '../../engine/index.js';
import type { BacktestConfig } from '../../config/index.js';
import { createInstrument } from '../market/create-instruments.js';
import { MarkCursor } from '../replay/mark-cursor.js';
import type { LoadedMarket } from '../market/prepare-market.js';

/** The marks that a live bot receives at the same times as the backtest. */
export interface ToldMarks {
  /** Contracts with stored marks, each with the length of its mark candles in ms: they end at multiples of it. */
  readonly marks: ReadonlyMap<InstrumentId, number>;
  /** Marks that are known when trading begins. */
  readonly warmMarks: readonly PriceSample[];
}

/** Finds when marks become known, and which are known at `from`. */
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
