import {
  DomainError,
  floorToInterval,
  formatUtc,
  MINUTE_MS,
  splitInstrumentId,
  type CandleSeries,
  type EpochMs,
  type FundingColumns,
  type Interval,
} from '../../domain/index.js';
import { CandleWriter } from './candle-writer.js';
import { CommonFactor } from './common-factor.js';
import { ContractWriter } from './contract-writer.js';
import { PricePath } from './price-path.js';
import { activityAt } from './seasonality.js';
import type { SynthInstrument } from './synth-instrument.js';

export interface SynthOptions {
  /** A whole number; equal seeds give equal bytes on every machine. */
  readonly seed: number;
  readonly interval: Interval;
  /** Interval of the mark prices of contracts. @defaultValue `interval` */
  readonly markInterval?: Interval | undefined;
  /** Open time of the first candle, on the grid of the interval. */
  readonly from: EpochMs;
  /** End of the last candle, exclusive, on the grid of the interval. */
  readonly to: EpochMs;
  /**
   * Where the paths start. Two calls with equal origin and seed tell of the same market: their candles agree, whatever interval,
   * range and instruments each asks for.
   * @defaultValue `from`
   */
  readonly origin?: EpochMs | undefined;
  /** Correlation of the shocks of any two instruments, from 0 to 1; that of their returns is a little lower. */
  readonly correlation: number;
  readonly instruments: readonly SynthInstrument[];
}

/** Made candles, and the options that make them again. */
export interface SynthSeries extends CandleSeries {
  /** For example `synth seed=1 origin=2024-07-01T00:00:00Z correlation=0.7 price=62000 volatility=0.5 volume=20000`. */
  readonly source: string;
}

/** What was made of one instrument: candles, and of a contract its mark prices and funding. */
export interface SynthMarket {
  readonly candles: SynthSeries;
  /** Mark prices, volume 0; undefined unless the instrument is a contract. */
  readonly marks: SynthSeries | undefined;
  /** Every 8 hours from 00:00 UTC; undefined unless the instrument is a contract. */
  readonly funding: FundingColumns | undefined;
}

/**
 * Makes candles of a market that never was: clustered volatility, jumps, volume tied to volatility and to the time of day, prices on
 * a tick grid, correlated instruments; no gaps.
 *
 * Every path runs in minutes of eight steps from the origin, and candles of any interval are exact sums of its minutes.
 * @throws {DomainError} `E_SYNTH` when an option is out of its range.
 */
export function synthesizeCandles(options: SynthOptions): readonly SynthSeries[] {
  return synthesizeMarkets(options).map(({ candles }) => candles);
}

/**
 * As {@link synthesizeCandles}; a contract gets mark prices, which are the path of its market, last prices near them, and funding that
 * follows the premium of last over mark.
 *
 * @throws {DomainError} `E_SYNTH` when an option is out of its range.
 */
export function synthesizeMarkets(options: SynthOptions): readonly SynthMarket[] {
  const origin = options.origin ?? options.from;
  checkOptions(options, origin);
  const common = new CommonFactor(options.seed);
  const writers = options.instruments.map((instrument) => new MarketWriter(instrument, options));
  for (let time = origin; time < options.to; time += MINUTE_MS) {
    common.advance();
    const activity = activityAt(time);
    for (const writer of writers) writer.advance(time, common, activity);
  }
  return writers.map((writer) => writer.market());
}

/** Runs the paths of one instrument. */
class MarketWriter {
  readonly #instrument: SynthInstrument;
  readonly #options: SynthOptions;
  readonly #path: PricePath;
  readonly #candles: CandleWriter;
  readonly #contract: ContractWriter | undefined;

  constructor(instrument: SynthInstrument, options: SynthOptions) {
    this.#instrument = instrument;
    this.#options = options;
    this.#path = new PricePath(instrument, options.seed, options.correlation);
    this.#candles = new CandleWriter({ ...options, ...instrument });
    const isContract = splitInstrumentId(instrument.instrumentId).kind === 'futures';
    this.#contract = isContract ? new ContractWriter(instrument, options) : undefined;
  }

  advance(time: EpochMs, common: CommonFactor, activity: number): void {
    this.#contract?.settle(time);
    this.#path.advance(common, activity);
    this.#candles.add(time, this.#contract?.advance(time, this.#path) ?? this.#path);
  }

  market(): SynthMarket {
    const { instrumentId } = this.#instrument;
    const source = describeSource(this.#instrument, this.#options);
    const key = { instrumentId, source };
    const interval = this.#options.interval;
    return {
      candles: { ...key, interval, columns: this.#candles.columns },
      marks: this.#contract && {
        ...key,
        interval: this.#options.markInterval ?? interval,
        columns: this.#contract.marks,
      },
      funding: this.#contract?.funding,
    };
  }
}

function describeSource(instrument: SynthInstrument, options: SynthOptions): string {
  const words = {
    seed: options.seed,
    origin: formatUtc(options.origin ?? options.from),
    correlation: options.correlation,
    price: instrument.startPrice,
    volatility: instrument.volatility,
    volume: instrument.dailyVolume,
    ...(instrument.like === undefined ? {} : { like: instrument.like }),
  };
  return `synth ${Object.entries(words)
    .map(([name, value]) => `${name}=${String(value)}`)
    .join(' ')}`;
}

function checkOptions(options: SynthOptions, origin: EpochMs): void {
  const { seed, interval, from, to, correlation, instruments } = options;
  demand(
    Number.isInteger(seed) && Math.abs(seed) < 2 ** 31,
    `a whole seed below 2^31, received ${String(seed)}`,
  );
  demand(
    correlation >= 0 && correlation <= 1,
    `a correlation from 0 to 1, received ${String(correlation)}`,
  );
  demand(instruments.length > 0, 'at least one instrument');
  for (const [name, time] of Object.entries({ from, to })) {
    demand(
      floorToInterval(time, interval) === time,
      `${name} at the start of a candle of ${interval}, received ${formatUtc(time)}`,
    );
  }
  const { markInterval } = options;
  demand(
    markInterval === undefined ||
      (floorToInterval(from, markInterval) === from && floorToInterval(to, markInterval) === to),
    `from and to at the start of a candle of the mark interval ${String(markInterval)}`,
  );
  demand(to > from, `an end after ${formatUtc(from)}, received ${formatUtc(to)}`);
  demand(
    origin <= from && origin % MINUTE_MS === 0,
    `an origin on a full minute not after ${formatUtc(from)}, received ${formatUtc(origin)}`,
  );
  for (const instrument of instruments) checkInstrument(instrument);
}

function checkInstrument(instrument: SynthInstrument): void {
  const { instrumentId, startPrice, volatility, dailyVolume } = instrument;
  for (const [name, value] of Object.entries({ startPrice, volatility, dailyVolume })) {
    demand(
      value > 0 && value < 1e12,
      `${name} of ${instrumentId} above 0, received ${String(value)}`,
    );
  }
  for (const name of ['pricePrecision', 'quantityPrecision'] as const) {
    const value = instrument[name];
    demand(
      Number.isInteger(value) && value >= 0 && value <= 8,
      `${name} of ${instrumentId} from 0 to 8, received ${String(value)}`,
    );
  }
}

function demand(isMet: boolean, expected: string): void {
  if (!isMet) throw new DomainError('E_SYNTH', `expected ${expected}`);
}
