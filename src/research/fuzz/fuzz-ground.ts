import type { BacktestConfig, RunOptions } from '../../assembly/backtest/index.js';
import {
  canResample,
  fixedIntervalMs,
  floorToInterval,
  nominalIntervalMs,
  UsageError,
  type DatedTiers,
  type EpochMs,
  type InstrumentId,
  type InstrumentRules,
  type Interval,
} from '../../domain/index.js';

/** Start of a drawn market, for one instrument. */
export interface MarketStart {
  readonly instrumentId: InstrumentId;
  readonly price: number;
  /** Holdings of the account at the start, in quote. Thin volumes and larger minimums are shares of them. */
  readonly money: number;
  /** Rules in force at the start. */
  readonly rules: InstrumentRules;
  readonly tiers: readonly DatedTiers[];
}

/** Inputs that all runs of a fuzz share. */
export interface FuzzGround extends Pick<RunOptions, 'strategyClass' | 'sourceHash'> {
  readonly config: BacktestConfig;
  /** In the order of the configuration. */
  readonly starts: readonly MarketStart[];
  /** Start of each history. */
  readonly from: EpochMs;
  /** Interval of the drawn candles; longer candles are made of them. */
  readonly interval: Interval;
  /** Number of quiet candles before a history, to warm up the strategy. */
  readonly lead: number;
  /** Most candles of a history. */
  readonly candles: number;
}

/** Most quiet candles: more would make each of a thousand runs slow. */
const MOST_LEAD = 20_000;

/**
 * The longest configured interval of which all others can be made.
 *
 * @throws {UsageError} `E_FUZZ_CANDLES` when no configured interval is.
 */
export function drawnInterval({ instruments }: Pick<BacktestConfig, 'instruments'>): Interval {
  const wanted = [...new Set(instruments.flatMap(({ intervals }) => intervals))];
  const found = wanted
    .toSorted((one, other) => nominalIntervalMs(other) - nominalIntervalMs(one))
    .filter((interval) => fixedIntervalMs(interval) !== undefined)
    .find((interval) => wanted.every((other) => canResample(interval, other)));
  if (found !== undefined) return found;
  throw new UsageError(
    'E_FUZZ_CANDLES',
    `expected an interval of at most a week that divides all others (candles are drawn from it), received ${wanted.join(', ')}`,
  );
}

/**
 * Number of drawn candles that a strategy receives before it may trade.
 *
 * @throws {UsageError} `E_FUZZ_CANDLES` for more than can be run again and again.
 */
export function leadOf(
  warmups: readonly { readonly candles: number; readonly interval: Interval }[],
  interval: Interval,
): number {
  const longest = warmups.reduce(
    // One candle more, because the first may lack some of its parts.
    (most, { candles, interval: of }) => Math.max(most, (candles + 1) * nominalIntervalMs(of)),
    0,
  );
  const hears = warmups.some(({ candles }) => candles > 0);
  const lead = hears ? Math.ceil(longest / nominalIntervalMs(interval)) : 0;
  if (lead <= MOST_LEAD) return lead;
  throw new UsageError(
    'E_FUZZ_CANDLES',
    `expected a strategy with a warm-up of at most ${String(MOST_LEAD)} candles of ${interval}, received ${String(lead)}; use a shorter lookback, or no ${interval} candles`,
  );
}

/** Start of a history, on the grid of all intervals. */
export function beginningOf({ instruments }: BacktestConfig, wanted: EpochMs): EpochMs {
  return instruments
    .flatMap(({ intervals }) => intervals)
    .toSorted((one, other) => nominalIntervalMs(other) - nominalIntervalMs(one))
    .slice(0, 1)
    .reduce(floorToInterval, wanted);
}
