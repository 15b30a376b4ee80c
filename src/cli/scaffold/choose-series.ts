import { stat } from 'node:fs/promises';
import path from 'node:path';
import {
  openArchive,
  synthesizeCandles,
  type Archive,
  type SeriesInfo,
} from '../../archive/index.js';
import { splitSymbol } from '../../config/index.js';
import {
  createInstrumentId,
  DAY_MS,
  fixedFromNumber,
  floorToInterval,
  formatFixed,
  InvariantError,
  splitInstrumentId,
  UsageError,
} from '../../domain/index.js';

/** Sample candles have an archive of their own. Among them, imported candles would continue the series of a market that is not real. */
const SAMPLE_FOLDER = 'sample-data';

/** Folders that are searched for candles, relative to the working folder. */
const USUAL_FOLDERS = ['data', 'backtest/data', SAMPLE_FOLDER] as const;

const SAMPLE_START = Date.UTC(2025, 0, 1);
const SAMPLE_DAYS = 120;

/** Stored candles that a new bot can be backtested on. */
export interface ChosenSeries {
  /** Absolute folder of the archive. */
  readonly folder: string;
  readonly info: SeriesInfo;
  readonly kind: 'spot' | 'futures';
  /** Decimals of the stored prices. */
  readonly pricePrecision: number;
  /** Whether the candles are random. */
  readonly isSample: boolean;
  /** Whether the candles were made just now. */
  readonly isNew: boolean;
}

/**
 * Finds the first usable series of a pair in an archive, else of a contract, or makes sample candles if there is no archive.
 *
 * @throws {UsageError} `E_SCAFFOLD_DATA` when a named archive, or one that exists, holds neither.
 */
export async function chooseSeries(cwd: string, named: string | undefined): Promise<ChosenSeries> {
  const candidates = named === undefined ? USUAL_FOLDERS : [named];
  for (const candidate of candidates) {
    const folder = path.resolve(cwd, candidate);
    const found = await stat(folder).catch(() => undefined);
    if (found === undefined && named === undefined) continue;
    const archive = openArchive(folder);
    for (const kind of ['spot', 'futures'] as const) {
      const info = await firstSeries(archive, kind);
      if (info === undefined) continue;
      const pricePrecision = await measure(archive, info);
      const isSample = candidate === SAMPLE_FOLDER;
      return { folder, info, kind, pricePrecision, isSample, isNew: false };
    }
    throw new UsageError(
      'E_SCAFFOLD_DATA',
      `the archive ${candidate} has no candles of a pair or contract; import some, or name another with --archive`,
    );
  }
  return makeSample(path.resolve(cwd, SAMPLE_FOLDER));
}

async function firstSeries(
  archive: Archive,
  wanted: ChosenSeries['kind'],
): Promise<SeriesInfo | undefined> {
  const entries = await archive.list();
  const usable = entries.flatMap((entry) => (entry.status === 'usable' ? [entry.info] : []));
  return usable.find(({ instrumentId }) => {
    const { kind, symbol } = splitInstrumentId(instrumentId);
    return kind === wanted && splitSymbol(symbol).length === 1;
  });
}

/** Number of decimals of the prices, measured on the candles of the last two days, at least on the last one. */
async function measure(
  archive: Archive,
  { instrumentId, interval, to }: SeriesInfo,
): Promise<number> {
  const from = Math.min(to - 2 * DAY_MS, floorToInterval(to - 1, interval));
  const { close } = await archive.read(instrumentId, interval, { from });
  const decimals = Array.from(
    close,
    (price) => formatFixed(fixedFromNumber(price)).split('.')[1]?.length ?? 0,
  );
  return Math.min(8, Math.max(...decimals));
}

async function makeSample(folder: string): Promise<ChosenSeries> {
  const series = synthesizeCandles({
    seed: 1,
    interval: '1h',
    from: SAMPLE_START,
    to: SAMPLE_START + SAMPLE_DAYS * DAY_MS,
    correlation: 0,
    instruments: [
      {
        instrumentId: createInstrumentId('spot', 'BTCUSDT'),
        startPrice: 62_000,
        volatility: 0.5,
        dailyVolume: 20_000,
        pricePrecision: 2,
        quantityPrecision: 5,
      },
    ],
  });
  const archive = openArchive(folder);
  for (const { source, ...candles } of series) {
    await archive.merge(candles, { source, volumeUnit: 'base' });
  }
  const info = await firstSeries(archive, 'spot');
  if (info === undefined) {
    throw new InvariantError('E_SCAFFOLD_DATA', `the sample candles are not in ${folder}`);
  }
  return { folder, info, kind: 'spot', pricePrecision: 2, isSample: true, isNew: true };
}
