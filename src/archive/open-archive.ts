import type { Archive, ArchiveOptions } from './archive.js';
import { openFile } from './data-file.js';
import { readSeries } from './read-series.js';
import { listSeries, readInfo } from './series-folder.js';
import { writeSeries } from './write-series.js';

/** Opens the archive in a folder. Nothing is touched until a method is called; the first merge makes the folder. */
export function openArchive(directory: string, options: ArchiveOptions = {}): Archive {
  const open = options.open ?? openFile;
  return {
    directory,
    list: () => listSeries(directory),
    info: (instrumentId, interval) => readInfo(directory, { instrumentId, interval }),
    read: (instrumentId, interval, range = {}) =>
      readSeries({ directory, open, key: { instrumentId, interval } }, range),
    merge: ({ instrumentId, interval, columns }, merge) =>
      writeSeries({ directory, open, key: { instrumentId, interval } }, columns, merge),
  };
}
