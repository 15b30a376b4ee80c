import type { Archive } from '../../archive/index.js';
import type { BacktestConfig } from '../../assembly/backtest/index.js';
import {
  closeTimeOf,
  DataError,
  fixedToNumber,
  nominalIntervalMs,
  present,
  type EpochMs,
  type InstrumentId,
  type Interval,
  type RuleBook,
} from '../../domain/index.js';
import type { MarketStart } from './fuzz-ground.js';

/** Price of an instrument without stored candles. */
const UNKNOWN_PRICE = 100;
/** Money of an account that holds neither base nor quote of an instrument. */
const UNKNOWN_MONEY = 10_000;
/** Number of stored candles that are read to find one price: some may be missing. */
const CANDLES_READ = 1_000;
const NOT_STORED: readonly string[] = [
  'E_DATA_ARCHIVE',
  'E_DATA_MISSING',
  'E_DATA_RANGE',
  'E_DATA_EMPTY',
];

export interface StartingPoint {
  readonly config: BacktestConfig;
  readonly rules: RuleBook;
  /** May be empty. A missing price is then replaced by a fixed one. */
  readonly archive: Archive;
  readonly from: EpochMs;
}

/**
 * Reads the start of each instrument's market: the stored price at that time, the money of the account, the rules and tiers in force.
 *
 * @throws {DataError} as the archive, except for missing data.
 */
export async function readStarts(point: StartingPoint): Promise<readonly MarketStart[]> {
  const starts: MarketStart[] = [];
  for (const { instrumentId, kind, base, quote, intervals } of point.config.instruments) {
    const [finest] = intervals.toSorted(
      (one, other) => nominalIntervalMs(one) - nominalIntervalMs(other),
    );
    const price = await unlessMissing(
      () => readPrice(point, instrumentId, present(finest, 'interval')),
      UNKNOWN_PRICE,
    );
    const account = point.config.simulation.balances[kind];
    const amount = (asset: typeof base): number => fixedToNumber(account?.get(asset) ?? 0n);
    const money = amount(quote) + amount(base) * price;
    const rules = present(point.rules.at(instrumentId, point.from), `rules of ${instrumentId}`);
    const tiers = await unlessMissing(() => point.archive.tiers(instrumentId), []);
    starts.push({ instrumentId, price, money: money > 0 ? money : UNKNOWN_MONEY, rules, tiers });
  }
  return starts;
}

/** Open of the first candle at or after the start. If the start is outside of the stored range, the nearest stored candle counts. */
async function readPrice(
  { archive, from }: StartingPoint,
  instrumentId: InstrumentId,
  interval: Interval,
): Promise<number> {
  const stored = await archive.info(instrumentId, interval);
  const lengthMs = nominalIntervalMs(interval);
  const first = Math.max(stored.from, Math.min(from, stored.to - lengthMs));
  const { open } = await archive.read(instrumentId, interval, {
    from: first,
    to: closeTimeOf(first, interval) + CANDLES_READ * lengthMs,
  });
  return open[0] ?? UNKNOWN_PRICE;
}

async function unlessMissing<T>(read: () => Promise<T>, otherwise: T): Promise<T> {
  try {
    return await read();
  } catch (error: unknown) {
    if (error instanceof DataError && NOT_STORED.includes(error.code)) return otherwise;
    throw error;
  }
}
