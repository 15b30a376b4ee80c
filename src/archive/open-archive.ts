import type { Archive, ArchiveOptions } from './archive.js';
import { openFile } from './files/data-file.js';
import { findMarkIntervals } from './stored/find-holdings.js';
import { openMarks, readMarks, requireNoVolume } from './stored/marks.js';
import { openSeries } from './stored/open-series.js';
import { readSeries } from './stored/read-series.js';
import { RULES_CODEC, TIERS_CODEC } from './stored/records.js';
import { listHoldings, listSeries, readInfo } from './stored/series-folder.js';
import { readFunding, writeFunding } from './stored/stored-funding.js';
import { readRecords, writeRecords } from './stored/stored-records.js';
import { writeSeries } from './stored/write-series.js';

/** Opens the archive in a folder. Nothing is touched until a method is called; the first merge makes the folder. */
export function openArchive(directory: string, options: ArchiveOptions = {}): Archive {
  const open = options.open ?? openFile;
  const source = { directory, open };
  return {
    directory,
    list: () => listSeries(directory),
    holdings: () => listHoldings(directory),
    info: (instrumentId, interval) => readInfo(directory, { instrumentId, interval }),
    read: (instrumentId, interval, range = {}) =>
      readSeries({ ...source, key: { instrumentId, interval } }, range),
    open: (instrumentId, interval, how = {}) =>
      openSeries({ ...source, key: { instrumentId, interval } }, how),
    merge: ({ instrumentId, interval, columns }, merge) =>
      writeSeries({ ...source, key: { instrumentId, interval } }, columns, merge),
    markIntervals: (instrumentId) => findMarkIntervals(directory, instrumentId),
    marks: (instrumentId, interval, range = {}) =>
      readMarks({ ...source, key: { instrumentId, interval, kind: 'mark' } }, range),
    openMarks: (instrumentId, interval, how = {}) =>
      openMarks({ ...source, key: { instrumentId, interval, kind: 'mark' } }, how),
    mergeMarks: async ({ instrumentId, interval, columns }, merge) => {
      const key = { instrumentId, interval, kind: 'mark' } as const;
      requireNoVolume(columns, key);
      return writeSeries({ ...source, key }, columns, { ...merge, volumeUnit: 'base' });
    },
    funding: (instrumentId, range = {}) => readFunding({ directory, instrumentId }, range),
    mergeFunding: (instrumentId, columns, merge) =>
      writeFunding({ ...source, instrumentId }, columns, merge),
    rules: async (instrumentId) =>
      (await readRecords({ directory, instrumentId, codec: RULES_CODEC }))?.entries ?? [],
    mergeRules: (instrumentId, entries, merge) =>
      writeRecords({ ...source, instrumentId, codec: RULES_CODEC }, entries, merge),
    tiers: async (instrumentId) =>
      (await readRecords({ directory, instrumentId, codec: TIERS_CODEC }))?.entries ?? [],
    mergeTiers: (instrumentId, entries, merge) =>
      writeRecords({ ...source, instrumentId, codec: TIERS_CODEC }, entries, merge),
  };
}
