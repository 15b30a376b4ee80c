import { InvalidArgumentError, Option } from 'commander';
import type { HoldingKey, HoldingKind, VolumeUnit } from '../../archive/index.js';
import {
  createInstrumentId,
  formatUtc,
  INTERVALS,
  parseInterval,
  parseUtc,
  PRODUCT_KINDS,
  splitInstrumentId,
  TradingError,
  UsageError,
  type EpochMs,
  type InstrumentId,
  type Interval,
  type ProductKind,
} from '../../domain/index.js';

/** Folder of the archive without `--archive`, relative to the working folder. */
const DEFAULT_ARCHIVE = 'data';

/** The archive's own list. Only the commands that run load the archive itself. */
export const VOLUME_UNIT_CHOICES = [
  'base',
  'quote',
  'contracts',
] as const satisfies readonly VolumeUnit[];

/** Kinds of rows and records in files: all kinds that the archive stores. */
export const FILE_KINDS = [
  'candles',
  'mark',
  'funding',
  'rules',
  'tiers',
] as const satisfies readonly HoldingKind[];
export type FileKind = (typeof FILE_KINDS)[number];

export const kindOption = (what: string): Option =>
  new Option('--kind <kind>', what).choices([...FILE_KINDS]).default('candles');

/** Turns a parser of domain text into a parser for the command line: text that it refuses becomes a usage error. */
export function argument<T>(parse: (text: string) => T): (text: string) => T {
  return (text) => {
    try {
      return parse(text);
    } catch (error) {
      if (error instanceof TradingError) throw new InvalidArgumentError(error.message);
      throw error;
    }
  };
}

export const archiveOption = (): Option =>
  new Option('--archive <dir>', 'folder of the archive').default(DEFAULT_ARCHIVE);

export const productOption = (): Option =>
  new Option('--product <kind>', 'spot, margin or futures').choices([...PRODUCT_KINDS]);

export const symbolOption = (): Option =>
  new Option('--symbol <symbol>', "the venue's symbol, for example BTCUSDT or E-BTC-USDT");

export const intervalOption = (parse: (text: string) => Interval = parseInterval): Option =>
  new Option('--interval <interval>', `one of ${INTERVALS.join(' ')}`).argParser(
    argument<Interval>(parse),
  );

/** Parses an interval as files name it: they write `1m` for candles of `1min`. Only minutes: `m` and `M` differ by case only, and a month is never guessed. */
export function parseFileInterval(text: string): Interval {
  const minutes = text.replace(/^(\d+)m$/, '$1min');
  return INTERVALS.find((interval) => interval === minutes) ?? parseInterval(text);
}

export const timeOption = (flag: string, what: string): Option =>
  new Option(`--${flag} <time>`, `${what}, UTC: 2025-06-01 or 2025-06-01T12:00:00Z`).argParser(
    argument<EpochMs>(parseUtc),
  );

/** @throws {UsageError} `E_USAGE` if both times are given and the first is not before the second. */
export function requireRange(flags: { readonly from?: EpochMs; readonly to?: EpochMs }): void {
  const { from, to } = flags;
  if (from === undefined || to === undefined || from < to) return;
  throw new UsageError(
    'E_USAGE',
    `expected --from before --to, received ${formatUtc(from)} and ${formatUtc(to)}`,
  );
}

export const jsonOption = (): Option =>
  new Option('--json [file]', 'write the result as JSON to a file, or to stdout with -').preset(
    '-',
  );

/** Options that select series. Filters may omit each of them. */
export interface SeriesOptions {
  readonly product?: ProductKind;
  readonly symbol?: string;
  readonly interval?: Interval;
}

/** Whether a stored series matches the options. A series without an interval matches no `--interval`. */
export function isWanted({ instrumentId, interval }: HoldingKey, options: SeriesOptions): boolean {
  const { kind, symbol } = splitInstrumentId(instrumentId);
  return (
    (options.product ?? kind) === kind &&
    (options.symbol ?? symbol) === symbol &&
    (options.interval ?? interval) === interval
  );
}

/**
 * Makes the instrument of `--product` and `--symbol`, or of `--as` instead of the latter.
 *
 * @throws {UsageError} `E_USAGE` if the symbol is not valid.
 */
export function instrumentOf(
  product: ProductKind,
  symbol: string,
  option: 'symbol' | 'as' = 'symbol',
): InstrumentId {
  try {
    return createInstrumentId(product, symbol);
  } catch (error) {
    if (!(error instanceof TradingError)) throw error;
    throw new UsageError('E_USAGE', `--${option}: ${error.message}`, { cause: error });
  }
}
