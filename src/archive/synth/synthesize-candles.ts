import {
  DomainError,
  floorToInterval,
  formatUtc,
  MINUTE_MS,
  splitInstrumentId,
  type CandleSeries,
  type EpochMs,
  type FundingColumns,
  type InstrumentId,
  type Interval,
} from '../../domain/index.js';
import { SYNTHETIC } from '../columns/same-origin.js';
import { CandleWriter } from './candle-writer.js';
import { CommonFactor } from './common-factor.js';
import { ContractPath } from './contract-path.js';
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
   * Where the paths start. Two calls with equal origin and seed make the same market: their candles agree, whatever interval,
   * range and instruments each call has.
   * @defaultValue `from`
   */
  readonly origin?: EpochMs | undefined;
  /** Correlation of the shocks of any two instruments, from 0 to 1; that of their returns is a little lower. */
  readonly correlation: number;
  readonly instruments: readonly SynthInstrument[];
}

/** Made candles, and the options that make them again. */
interface SynthSeries extends CandleSeries {
  /** For example `synth seed=1 origin=2024-07-01T00:00:00Z correlation=0.7 price=62000 volatility=0.5 volume=20000`. */
  readonly source: string;
}

/** Synthetic data of one instrument: candles, and for a contract its mark prices and funding. */
export interface SynthMarket {
  readonly candles: SynthSeries;
  /** Mark prices, volume 0; undefined unless the instrument is a contract. */
  readonly marks: SynthSeries | undefined;
  /** Every 8 hours from 00:00 UTC; undefined unless the instrument is a contract. */
  readonly funding: FundingColumns | undefined;
}

/**
 * Makes candles of an invented market: clustered volatility, jumps, volume tied to volatility and to the time of day, prices on
 * a tick grid, correlated instruments; no gaps.
 *
 * Every path runs in minutes of eight steps from the origin, and candles of any interval are exact sums of its minutes.
 * @throws {SynthError} `E_SYNTH` when an option is out of its range.
 */
export function synthesizeCandles(options: SynthOptions): readonly SynthSeries[] {
  return synthesizeMarkets(options).map(({ candles }) => candles);
}

/**
 * As {@link synthesizeCandles}; a contract gets mark prices, which are the path of its market, last prices near them, and funding that
 * follows the premium of last over mark.
 *
 * @throws {SynthError} `E_SYNTH` when an option is out of its range.
 */
export function synthesizeMarkets(options: SynthOptions): readonly SynthMarket[] {
  return new SynthStream(options).next(options.to);
}

/** {@link SynthOptions} of a market without end. */
type SynthStreamOptions = Omit<SynthOptions, 'to'>;

/**
 * The market of {@link synthesizeMarkets}, made block by block: consecutive blocks hold the same rows as one range, however it is cut.
 * Only the present block is in memory.
 */
export class SynthStream {
  readonly #options: SynthStreamOptions;
  readonly #common: CommonFactor;
  readonly #writers: readonly MarketWriter[];
  #time: EpochMs;
  #end: EpochMs;

  /** @throws {SynthError} `E_SYNTH` when an option is out of its range. */
  constructor(options: SynthStreamOptions) {
    this.#options = options;
    this.#time = options.origin ?? options.from;
    this.#end = options.from;
    checkOptions(options, this.#time);
    this.#common = new CommonFactor(options.seed);
    this.#writers = options.instruments.map((instrument) => new MarketWriter(instrument, options));
  }

  /** End of the range made so far, exclusive. */
  get end(): EpochMs {
    return this.#end;
  }

  /**
   * Makes the next block, up to `to`.
   *
   * @throws {SynthError} `E_SYNTH` for an end that is off the grid, or not after the end of the block before.
   */
  next(to: EpochMs): readonly SynthMarket[] {
    checkEnd(this.#options, this.#end, to);
    const range = { from: this.#end, to };
    for (const writer of this.#writers) writer.begin(range);
    for (; this.#time < to; this.#time += MINUTE_MS) {
      this.#common.advance();
      const activity = activityAt(this.#time);
      for (const writer of this.#writers) writer.advance(this.#time, this.#common, activity);
    }
    this.#end = to;
    return this.#writers.map((writer) => writer.market());
  }
}

/** Runs the paths of one instrument, and writes their candles for one range after the other. */
class MarketWriter {
  readonly #instrument: SynthInstrument;
  readonly #options: SynthStreamOptions;
  readonly #path: PricePath;
  readonly #contractPath: ContractPath | undefined;
  #candles: CandleWriter;
  #contract: ContractWriter | undefined;

  constructor(instrument: SynthInstrument, options: SynthStreamOptions) {
    this.#instrument = instrument;
    this.#options = options;
    this.#path = new PricePath(instrument, options.seed, options.correlation);
    const isContract = splitInstrumentId(instrument.instrumentId).kind === 'futures';
    this.#contractPath = isContract ? new ContractPath(instrument, options.seed) : undefined;
    this.#candles = this.#candleWriter({ from: options.from, to: options.from });
  }

  begin(range: { readonly from: EpochMs; readonly to: EpochMs }): void {
    this.#candles = this.#candleWriter(range);
    this.#contract =
      this.#contractPath &&
      new ContractWriter(this.#contractPath, this.#instrument, { ...this.#options, ...range });
  }

  #candleWriter(range: { readonly from: EpochMs; readonly to: EpochMs }): CandleWriter {
    return new CandleWriter({ ...this.#options, ...this.#instrument, ...range });
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

function describeSource(instrument: SynthInstrument, options: SynthStreamOptions): string {
  const words = {
    seed: options.seed,
    origin: formatUtc(options.origin ?? options.from),
    correlation: options.correlation,
    price: instrument.startPrice,
    volatility: instrument.volatility,
    volume: instrument.dailyVolume,
    ...(instrument.like === undefined ? {} : { like: instrument.like }),
  };
  return `${SYNTHETIC} ${Object.entries(words)
    .map(([name, value]) => `${name}=${String(value)}`)
    .join(' ')}`;
}

function checkOptions(options: SynthStreamOptions, origin: EpochMs): void {
  const { seed, from, correlation, instruments } = options;
  demand(Number.isInteger(seed) && Math.abs(seed) < 2 ** 31, {
    option: 'seed',
    expected: 'a whole seed below 2^31',
    received: String(seed),
  });
  demand(correlation >= 0 && correlation <= 1, {
    option: 'correlation',
    expected: 'a correlation from 0 to 1',
    received: String(correlation),
  });
  demand(instruments.length > 0, {
    option: 'instruments',
    expected: 'at least one instrument',
    received: 'none',
  });
  checkGrid(options, 'from', from);
  demand(origin <= from && origin % MINUTE_MS === 0, {
    option: 'origin',
    expected: `an origin on a full minute not after ${formatUtc(from)}`,
    received: formatUtc(origin),
  });
  for (const instrument of instruments) checkInstrument(instrument);
}

function checkEnd(options: SynthStreamOptions, from: EpochMs, to: EpochMs): void {
  checkGrid(options, 'to', to);
  demand(to > from, {
    option: 'to',
    expected: `an end after ${formatUtc(from)}`,
    received: formatUtc(to),
  });
}

function checkGrid(
  { interval, markInterval = interval }: SynthStreamOptions,
  name: 'from' | 'to',
  time: EpochMs,
): void {
  demand(floorToInterval(time, interval) === time, {
    option: name,
    expected: `${name} at the start of a candle of ${interval}`,
    received: formatUtc(time),
  });
  demand(floorToInterval(time, markInterval) === time, {
    option: name,
    expected: `${name} at the start of a candle of the mark interval ${markInterval}`,
    received: formatUtc(time),
  });
}

/** Bound of prices, deviations and volumes. */
const LARGEST = 1e12;
const MOST_PRECISION = 8;

function checkInstrument(instrument: SynthInstrument): void {
  const { instrumentId } = instrument;
  const within = (option: InstrumentOption, isMet: boolean, range: string): void => {
    demand(isMet, { option, instrumentId, expected: range, received: String(instrument[option]) });
  };
  for (const option of ['startPrice', 'volatility', 'dailyVolume'] as const) {
    const value = instrument[option];
    within(option, value > 0 && value < LARGEST, `above 0 and below ${String(LARGEST)}`);
  }
  for (const option of ['pricePrecision', 'quantityPrecision'] as const) {
    const value = instrument[option];
    const isMet = Number.isInteger(value) && value >= 0 && value <= MOST_PRECISION;
    within(option, isMet, `from 0 to ${String(MOST_PRECISION)}`);
  }
}

type InstrumentOption = Exclude<keyof SynthInstrument, 'instrumentId' | 'like'>;

interface SynthProblem {
  readonly option: keyof SynthOptions | InstrumentOption;
  /** Undefined for an option of the whole market. */
  readonly instrumentId?: InstrumentId | undefined;
  /** For an option of an instrument its range only, such as `from 0 to 8`. */
  readonly expected: string;
  readonly received: string;
}

/** What `data synth` calls the options of an instrument, for messages. */
const SETTINGS: Readonly<Partial<Record<SynthProblem['option'], string>>> = {
  startPrice: 'price',
  dailyVolume: 'volume',
  pricePrecision: 'price-precision',
  quantityPrecision: 'quantity-precision',
};

/** An option that is out of its range. Who asked for the market can say where the value came from. */
export class SynthError extends DomainError {
  readonly problem: SynthProblem;

  constructor(problem: SynthProblem) {
    const { option, instrumentId, expected, received } = problem;
    const subject =
      instrumentId === undefined ? '' : `${SETTINGS[option] ?? option} of ${instrumentId} `;
    super('E_SYNTH', `expected ${subject}${expected}, received ${received}`);
    this.problem = problem;
  }
}

function demand(isMet: boolean, problem: SynthProblem): void {
  if (!isMet) throw new SynthError(problem);
}
