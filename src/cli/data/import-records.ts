import { basename, resolve } from 'node:path';
import type { Archive, RecordFile, RecordsMergeReport } from '../../archive/index.js';
import { parseRulesLayout, parseTiersLayout, type RecordLayout } from '../../config/index.js';
import {
  formatFixed,
  formatUtc,
  splitInstrumentId,
  UsageError,
  type DatedRules,
  type DatedTiers,
  type EpochMs,
  type Fixed,
  type InstrumentId,
} from '../../domain/index.js';
import type { CliContext } from '../cli-context.js';
import { formatNoun, holdingJson, holdingLine } from './format.js';
import type { CommandResult } from './give-result.js';

/** The request of `data import --kind rules` or `--kind tiers`. */
interface RecordImport {
  readonly kind: 'rules' | 'tiers';
  /** File as the user wrote it. */
  readonly file: string;
  readonly archive: Archive;
  readonly instrumentId: InstrumentId;
  /** The symbol as the file writes it. */
  readonly symbol: string;
  /** The instant from which records without a date apply. */
  readonly from: EpochMs;
  readonly multiplier: Fixed | undefined;
  readonly replace: boolean;
}

/** Records of a file, and notes for people about how they were read. */
interface ReadRecords<T> {
  readonly entries: readonly T[];
  readonly notes: readonly string[];
}

/** Imports the rules or leverage tiers of one symbol into an archive. */
export async function importRecords(
  options: RecordImport,
  context: CliContext,
): Promise<CommandResult> {
  const { readRecordFile } = await import('../../archive/index.js');
  const file = await readRecordFile(resolve(context.cwd, options.file));
  const { archive, instrumentId, replace } = options;
  const merge = { source: basename(options.file), replace, signal: context.signal };
  if (options.kind === 'rules') {
    const { entries, notes } = await readRules(file, options);
    return resultOf(await archive.mergeRules(instrumentId, entries, merge), notes, options);
  }
  const { entries, notes } = await readTiers(file, options);
  return resultOf(await archive.mergeTiers(instrumentId, entries, merge), notes, options);
}

async function readRules(
  { text, json }: RecordFile,
  options: RecordImport,
): Promise<ReadRecords<DatedRules>> {
  const { mapExchangeRules } = await import('../../archive/index.js');
  const { file: path, symbol, from, multiplier, instrumentId } = options;
  const { kind: product } = splitInstrumentId(instrumentId);
  const mapped = mapExchangeRules(json, { path, symbol, product, multiplier });
  if (mapped === undefined) {
    if (multiplier !== undefined)
      throw new UsageError(
        'E_USAGE',
        `--multiplier is for exchange information that counts base: ${path} has our own layout, which counts contracts`,
      );
    return { entries: parseRulesLayout(layoutOf(text, options)), notes: [] };
  }
  const notes = [
    ...(mapped.multiplier === undefined
      ? []
      : [
          `quantities are contracts of ${formatFixed(mapped.multiplier)}: the multiplier of the bot`,
        ]),
    ...(mapped.unmapped.length === 0 ? [] : [`not mapped: ${mapped.unmapped.join(', ')}`]),
  ];
  return { entries: [{ from, rules: mapped.rules }], notes };
}

async function readTiers(
  { text, json }: RecordFile,
  options: RecordImport,
): Promise<ReadRecords<DatedTiers>> {
  const { mapBracketTiers } = await import('../../archive/index.js');
  const tiers = mapBracketTiers(json, { path: options.file, symbol: options.symbol });
  if (tiers === undefined) return { entries: parseTiersLayout(layoutOf(text, options)), notes: [] };
  return { entries: [{ from: options.from, tiers }], notes: [] };
}

function layoutOf(text: string, { file, symbol, from }: RecordImport): RecordLayout {
  return { file, text, symbol, from };
}

function resultOf(
  { info, added, duplicates, replaced }: RecordsMergeReport,
  notes: readonly string[],
  { file, symbol, from }: RecordImport,
): CommandResult {
  const counts = [
    `${formatNoun(added, 'record')} added`,
    ...(replaced > 0 ? [`${formatNoun(replaced, 'record')} overwritten`] : []),
    ...(duplicates > 0 ? [`${formatNoun(duplicates, 'record')} stored already`] : []),
  ];
  return {
    text: [
      `imported ${basename(file)}, ${symbol}: ${counts.join(', ')}`,
      ...notes.map((note) => `  ${note}`),
      `  ${holdingLine(info)}`,
      '',
    ].join('\n'),
    json: {
      file: basename(file),
      symbol,
      from: formatUtc(from),
      added,
      replaced,
      duplicates,
      notes,
      stored: holdingJson(info),
    },
  };
}
