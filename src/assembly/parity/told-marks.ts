import type { EpochMs } from '../../domain/index.js';
import type { PriceSample } from '../../engine/index.js';
import type { MarksAt } from '../../live/index.js';
import type { BacktestConfig } from '../../config/index.js';
import { createInstrument } from '../market/create-instruments.js';
import { MarkCursor } from '../replay/mark-cursor.js';
import type { LoadedMarket } from '../market/prepare-market.js';
import type { LiveBeginning } from './interruptions.js';

/** The marks that a live bot receives at the same times as the backtest. */
interface ToldMarks {
  /** Contracts of which a stored mark becomes known with the candles of a close. Its value comes from the venue. */
  readonly marksAt: MarksAt;
  /** Marks that are known when trading begins. */
  readonly warmMarks: readonly PriceSample[];
}

/** Finds when marks become known, and which are known when a bot begins at `now`: those that ended by the last candle of the warm-up, or were told since. */
export function toldMarks(
  { terms }: LoadedMarket,
  { instruments, simulation }: BacktestConfig,
  { streams, now }: LiveBeginning & { readonly now: EpochMs },
): ToldMarks {
  const cursor = new MarkCursor(instruments.map(createInstrument), terms);
  const closes = streams.map(({ history }) => history.at(-1)?.closeTime ?? -Infinity);
  return {
    warmMarks: cursor.take(Math.max(now - simulation.dataDelayMs, ...closes)) ?? [],
    marksAt: (closeTime) => (cursor.take(closeTime) ?? []).map(({ instrumentId }) => instrumentId),
  };
}
