import type { EpochMs } from '../../domain/index.js';
import type { PriceSample } from '../../engine/index.js';
import type { MarksAt } from '../../live/index.js';
import type { BacktestConfig } from '../../config/index.js';
import { createInstrument } from '../market/create-instruments.js';
import { MarkCursor } from '../replay/mark-cursor.js';
import type { LoadedMarket } from '../market/prepare-market.js';

/** The marks that a live bot receives at the same times as the backtest. */
export interface ToldMarks {
  /** Contracts of which a stored mark becomes known with the candles of a close. Its value comes from the venue. */
  readonly marksAt: MarksAt;
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
    warmMarks: cursor.take(from - simulation.dataDelayMs) ?? [],
    marksAt: (closeTime) => (cursor.take(closeTime) ?? []).map(({ instrumentId }) => instrumentId),
  };
}
