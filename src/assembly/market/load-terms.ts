import { createHash } from 'node:crypto';
import { hashFunding, type Archive, type OpenSeries } from '../../archive/index.js';
import {
  nominalIntervalMs,
  TierBook,
  type CandleRows,
  type DatedRules,
  type DatedTiers,
  type EpochMs,
  type FundingColumns,
  type InstrumentId,
  type Interval,
  type RuleBook,
} from '../../domain/index.js';
import type { BacktestConfig, InstrumentConfig } from '../../config/index.js';
import { canonical } from '../identity/canonical.js';
import { endOfMarks, readFundingUntil } from './contract-terms-until.js';
import { createRuleBook } from './create-instruments.js';
import { countSeries, SeriesFiles } from './series-files.js';

/** A stored series that is not delivered to the strategy. */
interface SideSeries {
  readonly interval: Interval;
  readonly rows: CandleRows;
  /** SHA-256 of the values of the rows. */
  hash(): string;
}

/** The archive's data of one instrument, in addition to its candles. */
interface StoredTerms {
  readonly rules: readonly DatedRules[];
  /** Futures only. */
  readonly tiers: readonly DatedTiers[];
  /** Futures only: the finest stored marks that cover the range. */
  readonly marks: SideSeries | undefined;
  /** Futures only. */
  readonly funding: FundingColumns | undefined;
  /** The finest stored candles below the delivered ones, for the path `finer`. */
  readonly finer: SideSeries | undefined;
}

/** The trading terms of a run's instruments. */
export interface MarketTerms {
  readonly rules: RuleBook;
  readonly tiers: TierBook;
  readonly stored: ReadonlyMap<InstrumentId, StoredTerms>;
  /** Hash of the data that was read from the archive; empty if there was none. */
  readonly hash: string;
  /** The same of rules and tiers alone, which a bot on paper or live uses: its marks and funding come from the venue, however much a recorder adds. */
  readonly rulesHash: string;
  /** Notes on missing data and its replacement, each once. */
  readonly notes: readonly string[];
}

/**
 * Reads rules, leverage tiers and funding, and opens mark prices and finer candles. Data of the archive takes precedence over the configuration.
 *
 * @throws {ConfigError} `E_CONFIG_RULES` when an instrument has no rules anywhere; {DataError} as the archive.
 */
export async function loadTerms(
  config: BacktestConfig,
  archive: Archive,
  files: SeriesFiles,
): Promise<MarketTerms> {
  const { to } = config.simulation;
  const stored = new Map<InstrumentId, StoredTerms>();
  for (const instrument of config.instruments) {
    const { instrumentId, kind } = instrument;
    const isFutures = kind === 'futures';
    stored.set(instrumentId, {
      rules: await archive.rules(instrumentId),
      tiers: isFutures ? await archive.tiers(instrumentId) : [],
      marks: isFutures
        ? await findMarks({ archive, files }, instrumentId, config.simulation)
        : undefined,
      funding: isFutures ? await readFundingUntil(archive, instrumentId, to) : undefined,
      finer:
        config.simulation.path === 'finer'
          ? await findFiner({ archive, files }, instrument, to)
          : undefined,
    });
  }
  return {
    rules: createRuleBook(
      config,
      new Map(
        [...stored].map(([id, { rules }]): [InstrumentId, readonly DatedRules[]] => [id, rules]),
      ),
    ),
    tiers: createTierBook(config, stored),
    stored,
    hash: hashTerms(stored),
    rulesHash: hashTerms(
      new Map([...stored].map(([id, { rules, tiers }]) => [id, { rules, tiers }])),
    ),
    notes: config.instruments.flatMap((each) => describeMissing(each, config, stored)),
  };
}

/** As {@link loadTerms}, for callers that replay no candles: mark prices and finer candles are closed again, so their rows must not be read. */
export async function readTerms(config: BacktestConfig, archive: Archive): Promise<MarketTerms> {
  const files = new SeriesFiles(archive, countSeries(config));
  try {
    return await loadTerms(config, archive, files);
  } finally {
    await files.close();
  }
}

/** Sources of stored data: small data is read, series are opened. */
interface Stored {
  readonly archive: Archive;
  readonly files: SeriesFiles;
}

/** A finer interval is preferred if its coverage is at least this share of the widest coverage. */
const ENOUGH = 0.99;

/** Finds the finest marks among those whose coverage of the range is nearly the widest. */
async function findMarks(
  { archive, files }: Stored,
  instrumentId: InstrumentId,
  { from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY }: BacktestConfig['simulation'],
): Promise<SideSeries | undefined> {
  const stored: (SideSeries & { readonly covered: number })[] = [];
  for (const interval of await archive.markIntervals(instrumentId)) {
    const marks = await files.openMarks(instrumentId, interval, endOfMarks(to));
    if (marks === undefined) continue;
    stored.push({ ...sideSeries(marks), covered: coverage(marks, { from, to }) });
  }
  const widest = Math.max(...stored.map(({ covered }) => covered));
  return stored.find(({ covered }) => covered >= ENOUGH * widest);
}

/** Milliseconds of the range that marks cover: 0 if the range lies within one mark candle. */
function coverage(
  { info, rows }: OpenSeries,
  { from, to }: { readonly from: EpochMs; readonly to: EpochMs },
): number {
  const intervalMs = nominalIntervalMs(info.interval);
  const last = rows.length - 1;
  // The last mark candle may end after the range. One that opens at the end of the range covers none of it.
  const beyond = last < 0 ? 0 : Math.max(0, rows.openTime(last) + intervalMs - to);
  return Math.max(0, (last - rows.rowBefore(from)) * intervalMs - beyond);
}

function sideSeries(series: OpenSeries): SideSeries {
  return { interval: series.info.interval, rows: series.rows, hash: () => series.hash() };
}

async function findFiner(
  { archive, files }: Stored,
  { instrumentId, intervals }: InstrumentConfig,
  to: EpochMs | undefined,
): Promise<SideSeries | undefined> {
  const finestMs = Math.min(...intervals.map(nominalIntervalMs));
  const [finer] = (await archive.list())
    .filter(({ key }) => key.instrumentId === instrumentId)
    .map(({ key }) => key.interval)
    .filter((interval) => nominalIntervalMs(interval) < finestMs)
    .sort((a, b) => nominalIntervalMs(a) - nominalIntervalMs(b));
  if (finer === undefined) return undefined;
  return sideSeries(await files.open(instrumentId, finer, to));
}

function createTierBook(
  { instruments, simulation }: BacktestConfig,
  stored: ReadonlyMap<InstrumentId, StoredTerms>,
): TierBook {
  const book = new TierBook();
  for (const { instrumentId } of instruments) {
    const known = stored.get(instrumentId)?.tiers ?? [];
    const entries = known.length > 0 ? known : simulation.futures.tiers.get(instrumentId);
    if (entries !== undefined) book.set(instrumentId, entries);
  }
  return book;
}

function describeMissing(
  { instrumentId, symbol, kind }: InstrumentConfig,
  { simulation }: BacktestConfig,
  stored: ReadonlyMap<InstrumentId, StoredTerms>,
): readonly string[] {
  const terms = stored.get(instrumentId);
  const notes: string[] = [];
  if (simulation.path === 'finer' && terms?.finer === undefined)
    notes.push(`${symbol}: no finer candles are stored; the path is that of nearest`);
  if (kind !== 'futures') return notes;
  if (terms?.marks === undefined)
    notes.push(`${symbol}: no mark prices are stored; last stands for mark`);
  if (terms?.funding === undefined)
    notes.push(
      `${symbol}: no funding rates are stored; simulation.futures.fundingRate stands for them`,
    );
  if ((terms?.tiers.length ?? 0) === 0 && !simulation.futures.tiers.has(instrumentId))
    notes.push(`${symbol}: no leverage tiers are known; nothing is kept for maintenance`);
  return notes;
}

function hashTerms(
  stored: ReadonlyMap<InstrumentId, Partial<StoredTerms> & Pick<StoredTerms, 'rules' | 'tiers'>>,
): string {
  const lines = [...stored].flatMap(([id, { rules, tiers, marks, funding, finer }]) => [
    ...(rules.length === 0 ? [] : [`${id} rules ${canonical(rules)}`]),
    ...(tiers.length === 0 ? [] : [`${id} tiers ${canonical(tiers)}`]),
    ...(marks === undefined ? [] : [`${id} marks ${marks.interval} ${marks.hash()}`]),
    ...(funding === undefined ? [] : [`${id} funding ${hashFunding(funding)}`]),
    ...(finer === undefined ? [] : [`${id} finer ${finer.interval} ${finer.hash()}`]),
  ]);
  return lines.length === 0 ? '' : createHash('sha256').update(lines.join('\n')).digest('hex');
}
