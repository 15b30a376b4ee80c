import { expect, it } from 'vitest';

import { withVenueVolumes } from '../../../../src/assembly/parity/venue-volumes.js';
import { HOUR_MS, type CandleColumns } from '../../../../src/domain/index.js';
import { createMemoryArchive } from '../../../support/memory-archive.js';
import { LINEAR, SPOT } from '../../../support/risk/builders.js';

/** One candle that closes at 2. */
const candle = (volume: number): CandleColumns => ({
  openTime: Float64Array.of(HOUR_MS),
  open: Float64Array.of(1),
  high: Float64Array.of(2),
  low: Float64Array.of(1),
  close: Float64Array.of(2),
  volume: Float64Array.of(volume),
});

it.each([
  // One contract of LINEAR is 0.001: 30.838 / 0.001; and of 61.676 in quote at 2 the same.
  { instrument: LINEAR, stored: 'base', volume: 30.838, shown: 30_838, unit: 'contracts' },
  { instrument: LINEAR, stored: 'quote', volume: 61.676, shown: 30_838, unit: 'contracts' },
  { instrument: LINEAR, stored: 'contracts', volume: 7, shown: 7, unit: 'contracts' },
  { instrument: SPOT, stored: 'quote', volume: 7, shown: 3.5, unit: 'base' },
  { instrument: SPOT, stored: 'base', volume: 7, shown: 7, unit: 'base' },
] as const)(
  'withVenueVolumes converts volumes of $instrument.id stored in $stored to the unit of the venue',
  async ({ instrument, stored, volume, shown, unit }) => {
    const series = {
      instrumentId: instrument.id,
      interval: '1h',
      columns: candle(volume),
    } as const;
    const archive = withVenueVolumes(createMemoryArchive([series], { volumeUnit: stored }), [
      instrument,
    ]);

    const info = await archive.info(instrument.id, '1h');
    const read = await archive.read(instrument.id, '1h');
    const opened = await archive.open(instrument.id, '1h');

    expect([info.volumeUnit, opened.info.volumeUnit]).toEqual([unit, unit]);
    expect([read.volume[0], opened.rows.volume(0)]).toEqual([shown, shown]);
    expect(opened.hash()).toBe(
      (await createMemoryArchive([series]).open(instrument.id, '1h')).hash(),
    );
  },
);
