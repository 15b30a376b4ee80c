import {
  closeTimeOf,
  DAY_MS,
  formatUtc,
  InvariantError,
  type EpochMs,
  type Interval,
} from '../../../domain/index.js';
import type { DataSource, Dump, DumpSeries } from './data-source.js';

/**
 * The public dumps of Binance: `data/spot/monthly/klines/BTCUSDT/1m/BTCUSDT-1m-2021-01.zip`, with `….zip.CHECKSUM` beside it in the format of
 * sha256sum; daily ones likewise. Times of spot are microseconds since 2025, files of contracts have a header in part: the import knows both.
 *
 * @see Source: README of github.com/binance/binance-public-data, read 2026-11-26
 */
const URL = 'https://data.binance.vision';

/** Longer intervals are made of these while they are read. */
const NAMES: Readonly<Partial<Record<Interval, string>>> = {
  '1min': '1m',
  '3min': '3m',
  '5min': '5m',
  '15min': '15m',
  '30min': '30m',
  '1h': '1h',
  '2h': '2h',
  '4h': '4h',
  '6h': '6h',
  '8h': '8h',
  '12h': '12h',
  '1day': '1d',
};

const COMMON = {
  url: URL,
  volumeUnit: 'base',
  intervals: Object.keys(NAMES) as Interval[],
  symbols: /^[A-Z0-9]{2,30}(?:_[A-Z0-9]{1,10})?$/,
} as const;

const MONTH_LETTERS = 'YYYY-MM'.length;
const DAY_LETTERS = 'YYYY-MM-DD'.length;

export const BINANCE_SPOT: DataSource = {
  ...COMMON,
  name: 'binance-spot',
  product: 'spot',
  ...dumpsIn('data/spot'),
};

/** Contracts with margin in USDT or USDC. */
export const BINANCE_UM: DataSource = {
  ...COMMON,
  name: 'binance-um',
  product: 'futures',
  ...dumpsIn('data/futures/um'),
};

function dumpsIn(folder: string): Pick<DataSource, 'monthly' | 'daily'> {
  const dump = (
    { symbol, interval }: DumpSeries,
    period: 'monthly' | 'daily',
    {
      from,
      to,
      letters,
    }: { readonly from: EpochMs; readonly to: EpochMs; readonly letters: number },
  ): Dump => {
    const name = NAMES[interval];
    if (name === undefined)
      throw new InvariantError('E_MISSING', `there are no dumps of ${interval}`);
    const date = formatUtc(from).slice(0, letters);
    const path = `${folder}/${period}/klines/${symbol}/${name}/${symbol}-${name}-${date}.zip`;
    return { path, checksumPath: `${path}.CHECKSUM`, from, to };
  };
  return {
    monthly: (series, from) =>
      dump(series, 'monthly', { from, to: closeTimeOf(from, '1month'), letters: MONTH_LETTERS }),
    daily: (series, from) =>
      dump(series, 'daily', { from, to: from + DAY_MS, letters: DAY_LETTERS }),
  };
}
