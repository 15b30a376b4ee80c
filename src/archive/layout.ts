import { join } from 'node:path';
import { splitInstrumentId } from '../domain/index.js';
import type { SeriesKey } from './series.js';

/** The two files of a stored series. */
export interface SeriesPaths {
  readonly folder: string;
  readonly arrow: string;
  readonly metadata: string;
}

/**
 * Says where a series of candles lives: `<archive>/<product>/<symbol>/<interval>.arrow`, its metadata beside it as `.json`.
 *
 * Reserved beside them for what is not candles: `<symbol>/mark/<interval>.arrow`, `<symbol>/funding.arrow`, `<symbol>/rules.json`.
 * The metadata's `kind` tells them apart.
 */
export function seriesPaths(archive: string, key: SeriesKey): SeriesPaths {
  const { kind, symbol } = splitInstrumentId(key.instrumentId);
  const folder = join(archive, kind, symbol);
  return {
    folder,
    arrow: join(folder, `${key.interval}.arrow`),
    metadata: join(folder, `${key.interval}.json`),
  };
}
