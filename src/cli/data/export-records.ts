import { DataError, splitInstrumentId, type InstrumentId } from '../../domain/index.js';
import type { CliContext } from '../cli-context.js';
import { writeOutput } from '../write-output.js';
import { formatNoun } from './format.js';
import type { CommandResult } from './give-result.js';
import type { RecordFormat } from './record-text.js';

/** The request of `data export --kind rules` or `--kind tiers`. */
export interface RecordExport {
  readonly kind: 'rules' | 'tiers';
  /** File as the user wrote it. */
  readonly file: string;
  readonly directory: string;
  readonly instrumentId: InstrumentId;
  readonly format: RecordFormat;
}

/** Writes the rules or leverage tiers of one symbol to a file that `data import` reads. */
export async function exportRecords(
  { kind, file, directory, instrumentId, format }: RecordExport,
  context: CliContext,
): Promise<CommandResult> {
  const { openArchive } = await import('../../archive/index.js');
  const { writeRulesLayout, writeTiersLayout } = await import('./record-text.js');
  const archive = openArchive(directory);
  const { symbol } = splitInstrumentId(instrumentId);
  let records: number;
  let text: string;
  if (kind === 'rules') {
    const entries = await archive.rules(instrumentId);
    records = entries.length;
    text = writeRulesLayout(symbol, entries, format);
  } else {
    const entries = await archive.tiers(instrumentId);
    records = entries.length;
    text = writeTiersLayout(symbol, entries, format);
  }
  if (records === 0) {
    throw new DataError(
      'E_DATA_MISSING',
      `the archive ${directory} has no ${kind} of ${instrumentId}`,
    );
  }
  await writeOutput(file, text, context);
  return {
    text: `wrote ${formatNoun(records, 'record')} to ${file}\n`,
    json: { file, format, kind, rows: records },
  };
}
