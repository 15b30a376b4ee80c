import { basename } from 'node:path';
import type { Archive, VolumeUnit } from '../../archive/index.js';
import type { InstrumentId, Interval } from '../../domain/index.js';
import type { CliContext } from '../cli-context.js';
import { ProgressLine } from '../progress.js';
import type { FileFlags } from './file-options.js';
import type { FoundFile } from './find-files.js';
import { formatCount, formatNoun } from './format.js';
import type { CommandResult } from './give-result.js';
import { importJson, importText, type RowReport } from './import-report.js';
import { binaryReader } from './read-in-thread.js';

/** The kind of the rows of a file. */
export type ImportedKind =
  | { readonly kind: 'candles'; readonly interval: Interval; readonly volumeUnit: VolumeUnit }
  | { readonly kind: 'mark'; readonly interval: Interval }
  | { readonly kind: 'funding' };

/** The request of `data import` for rows: candles, mark prices or funding. */
type RowImport = RowImportCommon & ImportedKind;

interface RowImportCommon extends FileFlags {
  readonly files: readonly FoundFile[];
  readonly archive: Archive;
  readonly instrumentId: InstrumentId;
  readonly replace: boolean;
  readonly skipBad?: true;
}

/** Imports the rows of files into an archive. */
export async function importRows(options: RowImport, context: CliContext): Promise<CommandResult> {
  const progress = new ProgressLine(context.stderr);
  try {
    const report = await importFiles(options, context, progress);
    return { text: importText(report), json: importJson(report) };
  } finally {
    progress.clear();
  }
}

async function importFiles(
  options: RowImport,
  context: CliContext,
  progress: ProgressLine,
): Promise<RowReport> {
  const { files } = options;
  let reading = '';
  const onFile = (index: number): void => {
    const name = basename(files[index]?.name ?? '');
    const place = `${formatCount(index + 1)} of ${formatCount(files.length)}, `;
    reading = `reading ${files.length === 1 ? '' : place}${name}`;
    progress.show(reading);
  };
  const { importCandles, importFunding, importMarks } = await import('../../archive/index.js');
  const common = {
    paths: files.map(({ path }) => path),
    instrumentId: options.instrumentId,
    columns: options.columns,
    assumeUtc: options.utc,
    skipBad: options.skipBad,
    replace: options.replace,
    signal: context.signal,
    onFile,
    onProgress: (rows: number) => {
      progress.show(`${reading}: ${formatNoun(rows, 'row')}`);
    },
    readBinary: binaryReader(context),
  };
  switch (options.kind) {
    case 'candles':
      return importCandles(options.archive, {
        ...common,
        interval: options.interval,
        volumeUnit: options.volumeUnit,
      });
    case 'mark':
      return importMarks(options.archive, { ...common, interval: options.interval });
    case 'funding':
      return importFunding(options.archive, common);
  }
}
