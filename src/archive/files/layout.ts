import { join } from 'node:path';
import { splitInstrumentId, type InstrumentId } from '../../domain/index.js';
import type { SeriesKey } from '../stored/series.js';

/** The two files of stored columns. */
export interface SeriesPaths {
  readonly arrow: string;
  readonly metadata: string;
}

/** Folder of the mark prices within the folder of an instrument. */
export const MARK_FOLDER = 'mark';

/** Says where everything of an instrument lives: `<archive>/<product>/<symbol>`. */
export function instrumentFolder(archive: string, instrumentId: InstrumentId): string {
  const { kind, symbol } = splitInstrumentId(instrumentId);
  return join(archive, kind, symbol);
}

/**
 * Says where a series lives: candles in `<instrument>/<interval>.arrow`, mark prices in `<instrument>/mark/<interval>.arrow`, the
 * metadata beside it as `.json`.
 */
export function seriesPaths(archive: string, key: SeriesKey): SeriesPaths {
  const folder = instrumentFolder(archive, key.instrumentId);
  const place = key.kind === 'mark' ? join(folder, MARK_FOLDER) : folder;
  return {
    arrow: join(place, `${key.interval}.arrow`),
    metadata: join(place, `${key.interval}.json`),
  };
}

/** Says where funding rates live: `<instrument>/funding.arrow`, the metadata beside it. */
export function fundingPaths(archive: string, instrumentId: InstrumentId): SeriesPaths {
  const folder = instrumentFolder(archive, instrumentId);
  return { arrow: join(folder, 'funding.arrow'), metadata: join(folder, 'funding.json') };
}

/** Says where dated records live: `<instrument>/rules.json`, `<instrument>/tiers.json`. */
export function recordPath(
  archive: string,
  instrumentId: InstrumentId,
  kind: 'rules' | 'tiers',
): string {
  return join(instrumentFolder(archive, instrumentId), `${kind}.json`);
}
