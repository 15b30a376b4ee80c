import type { MemorySeries } from '../archive/index.js';
import type { BacktestConfig } from '../assembly/backtest/index.js';
import {
  columnsOfCandles,
  matchInstrumentId,
  present,
  type Candle,
  type EpochMs,
} from '../domain/index.js';
import { CandleClock } from './candle-clock.js';
import { shapesBy, type PlayedShape } from './candle-shapes.js';

/**
 * Makes the candles of a whole run, at the times at which a test would play them: one series for each interval that a bot reads.
 *
 * @throws {DomainError} as `StrategyTest.play`.
 */
export function layOutCandles(
  { instruments }: Pick<BacktestConfig, 'instruments'>,
  candles: readonly PlayedShape[],
  start: EpochMs,
): readonly MemorySeries[] {
  const ids = instruments.map(({ instrumentId }) => instrumentId);
  const [first] = ids;
  const clock = new CandleClock(instruments, start);
  const rows = new Map<string, Candle[]>();
  for (const played of candles) {
    const shapes = shapesBy(played, (name) =>
      name === undefined ? present(first, 'an instrument') : matchInstrumentId(ids, name),
    );
    for (const candle of clock.next(shapes).closing) {
      const key = `${candle.instrumentId} ${candle.interval}`;
      const held = rows.get(key);
      if (held === undefined) rows.set(key, [candle]);
      else held.push(candle);
    }
  }
  return [...rows.values()].map((held) => {
    const { instrumentId, interval } = present(held[0], 'a candle');
    return { instrumentId, interval, columns: columnsOfCandles(held) };
  });
}
