import {
  fixedFromNumber,
  multiplyFixed,
  type CandleColumns,
  type Fixed,
  type FuturesInstrument,
  type SpotInstrument,
} from '../../domain/index.js';

/** The unit of a stored volume. */
export type StoredUnit = 'base' | 'quote' | 'contracts';

/**
 * Candles with their volume in the unit of an instrument: base, or whole contracts. Quote is divided by the close; a contract is worth its
 * face value in base (linear) or in quote (inverse). Contracts are counted exactly: 0.3 at a face value of 0.1 are 3.
 */
export function inOwnUnit(
  columns: CandleColumns,
  unit: StoredUnit,
  instrument: SpotInstrument | FuturesInstrument,
): CandleColumns {
  const wanted = instrument.kind === 'futures' ? 'contracts' : 'base';
  if (unit === wanted) return columns;
  const closeOf = (row: number): number => columns.close[row] ?? 1;
  const inBase = (volume: number, row: number): number =>
    unit === 'quote' ? volume / closeOf(row) : volume;
  if (instrument.kind === 'spot') return { ...columns, volume: columns.volume.map(inBase) };
  const inQuote = (volume: number, row: number): Fixed =>
    unit === 'quote'
      ? fixedFromNumber(volume)
      : multiplyFixed(fixedFromNumber(volume), fixedFromNumber(closeOf(row)));
  const { contract, multiplier } = instrument;
  return {
    ...columns,
    volume: columns.volume.map((volume, row) => {
      const isLinear = contract === 'linear';
      const worth = isLinear ? fixedFromNumber(inBase(volume, row)) : inQuote(volume, row);
      return Number(worth / multiplier);
    }),
  };
}
