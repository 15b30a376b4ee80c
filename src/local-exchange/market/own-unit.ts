import {
  fixedToNumber,
  type CandleColumns,
  type FuturesInstrument,
  type SpotInstrument,
} from '../../domain/index.js';

/** The unit of a stored volume. */
export type StoredUnit = 'base' | 'quote' | 'contracts';

/**
 * Candles with their volume in the unit of an instrument: base, or whole contracts. Quote is divided by the close; a contract is worth its
 * face value in base (linear) or in quote (inverse).
 */
export function inOwnUnit(
  columns: CandleColumns,
  unit: StoredUnit,
  instrument: SpotInstrument | FuturesInstrument,
): CandleColumns {
  const wanted = instrument.kind === 'futures' ? 'contracts' : 'base';
  if (unit === wanted) return columns;
  const inBase = (volume: number, row: number): number =>
    unit === 'quote' ? volume / (columns.close[row] ?? 1) : volume;
  if (instrument.kind === 'spot') return { ...columns, volume: columns.volume.map(inBase) };
  const face = fixedToNumber(instrument.multiplier);
  const isLinear = instrument.contract === 'linear';
  return {
    ...columns,
    volume: columns.volume.map((volume, row) => {
      const base = inBase(volume, row);
      return Math.floor((isLinear ? base : base * (columns.close[row] ?? 1)) / face);
    }),
  };
}
