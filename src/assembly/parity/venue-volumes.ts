import type { Archive, VolumeUnit } from '../../archive/index.js';
import {
  CandleRows,
  candleQuantity,
  fixedFromNumber,
  fixedToNumber,
  type CandleColumns,
  type Instrument,
  type InstrumentId,
} from '../../domain/index.js';

/**
 * Wraps an archive so that volumes are in the unit of a venue, base or contracts, whatever their stored unit: both sides of a parity run then read the
 * same candles. The volume is the one that a backtest fills from, rounded once.
 */
export function withVenueVolumes(archive: Archive, instruments: readonly Instrument[]): Archive {
  const instrumentOf = (id: InstrumentId): Instrument | undefined =>
    instruments.find((one) => one.id === id);
  const shownUnit = (id: InstrumentId, stored: VolumeUnit): VolumeUnit => {
    const instrument = instrumentOf(id);
    if (instrument === undefined) return stored;
    return instrument.kind === 'futures' ? 'contracts' : 'base';
  };
  const shown = (id: InstrumentId, unit: VolumeUnit, columns: CandleColumns): CandleColumns => {
    const instrument = instrumentOf(id);
    return instrument === undefined || unit === shownUnit(id, unit)
      ? columns
      : { ...columns, volume: inQuantity(instrument, unit, columns) };
  };
  return {
    ...archive,
    info: async (id, interval) => {
      const info = await archive.info(id, interval);
      return { ...info, volumeUnit: shownUnit(id, info.volumeUnit) };
    },
    read: async (id, interval, options) => {
      const { volumeUnit } = await archive.info(id, interval);
      return shown(id, volumeUnit, await archive.read(id, interval, options));
    },
    open: async (id, interval, options) => {
      const series = await archive.open(id, interval, options);
      const { volumeUnit } = series.info;
      const unit = shownUnit(id, volumeUnit);
      if (unit === volumeUnit) return series;
      const rows = CandleRows.of(shown(id, volumeUnit, series.rows.whole()));
      return { ...series, info: { ...series.info, volumeUnit: unit }, rows };
    },
  };
}

function inQuantity(
  instrument: Instrument,
  unit: VolumeUnit,
  { close, volume }: CandleColumns,
): Float64Array {
  return volume.map((stored, row) =>
    fixedToNumber(
      candleQuantity(instrument, {
        volume: fixedFromNumber(stored),
        unit,
        price: fixedFromNumber(close[row] ?? 0),
      }),
    ),
  );
}
