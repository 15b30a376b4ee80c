import {
  closeTimeOf,
  DAY_MS,
  formatUtc,
  InvariantError,
  type EpochMs,
  type Interval,
} from '../../../domain/index.js';
import type { DataSource, Dump, DumpSeries } from '../../../archive/index.js';
import { DUMP_KINDS } from './dump-kinds.js';

/**
 * The public dumps of Binance: `data/spot/monthly/klines/BTCUSDT/1m/BTCUSDT-1m-2021-01.zip`, with `….zip.CHECKSUM` beside it in the format of
 * sha256sum; daily ones likewise, and mark prices in `markPriceKlines` in place of `klines`. Funding rates come in months only:
 * `data/futures/um/monthly/fundingRate/BTCUSDT/BTCUSDT-fundingRate-2024-01.zip` with the header
 * `calc_time,funding_interval_hours,last_funding_rate`. Times of spot are microseconds from 2025 on, and some files of contracts have a header: the
 * import handles both.
 *
 * @see Source: README of github.com/binance/binance-public-data, read 2026-11-26; it does not describe mark prices and funding: their paths and
 * header are those of several programs that read them
 */
const URL = 'https://data.binance.vision';

/** Longer intervals are made from these while they are read. */
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

/** Name of the folder for each kind of rows. */
const FOLDERS = { candles: 'klines', mark: 'markPriceKlines', funding: 'fundingRate' } as const;

const COMMON = {
  url: URL,
  intervals: Object.keys(NAMES) as Interval[],
  symbols: /^[A-Z0-9]{2,30}(?:_[A-Z0-9]{1,10})?$/,
} as const;

const MONTH_LETTERS = 'YYYY-MM'.length;
const DAY_LETTERS = 'YYYY-MM-DD'.length;

export const BINANCE_SPOT: DataSource = {
  ...COMMON,
  name: 'binance-spot',
  product: 'spot',
  volumeUnit: 'base',
  kinds: ['candles'],
  example: 'BTCUSDT',
  ...dumpsIn('data/spot'),
};

/** Contracts with margin in USDT or USDC. */
export const BINANCE_UM: DataSource = {
  ...COMMON,
  name: 'binance-um',
  product: 'futures',
  volumeUnit: 'base',
  kinds: DUMP_KINDS,
  example: 'BTCUSDT',
  ...dumpsIn('data/futures/um'),
};

/** Inverse contracts, with margin in the coin. */
export const BINANCE_CM: DataSource = {
  ...COMMON,
  name: 'binance-cm',
  product: 'futures',
  volumeUnit: 'contracts',
  kinds: DUMP_KINDS,
  example: 'BTCUSD_PERP',
  ...dumpsIn('data/futures/cm'),
};

interface DumpSpan {
  readonly period: 'monthly' | 'daily';
  readonly from: EpochMs;
  readonly to: EpochMs;
  /** Length of the date in the file name. */
  readonly letters: number;
}

function dumpsIn(folder: string): Pick<DataSource, 'monthly' | 'daily'> {
  const dump = (series: DumpSeries, { period, from, to, letters }: DumpSpan): Dump => {
    const { symbol, kind } = series;
    const date = formatUtc(from).slice(0, letters);
    const name = kind === 'funding' ? FOLDERS.funding : nameOf(series.interval);
    const place = kind === 'funding' ? symbol : `${symbol}/${name}`;
    const path = `${folder}/${period}/${FOLDERS[kind]}/${place}/${symbol}-${name}-${date}.zip`;
    return { path, checksumPath: `${path}.CHECKSUM`, from, to };
  };
  return {
    monthly: (series, from) => {
      const to = closeTimeOf(from, '1month');
      return dump(series, { period: 'monthly', from, to, letters: MONTH_LETTERS });
    },
    daily: (series, from) => {
      if (series.kind === 'funding') return undefined;
      return dump(series, { period: 'daily', from, to: from + DAY_MS, letters: DAY_LETTERS });
    },
  };
}

function nameOf(interval: Interval): string {
  const name = NAMES[interval];
  if (name !== undefined) return name;
  throw new InvariantError('E_MISSING', `there are no dumps of ${interval}`);
}
