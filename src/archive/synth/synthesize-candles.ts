import {
  closeTimeOf,
  DomainError,
  floorToInterval,
  formatUtc,
  MINUTE_MS,
  type CandleColumns,
  type CandleSeries,
  type EpochMs,
  type Interval,
} from '../../domain/index.js';
import { allocateColumns, sliceColumns } from '../columns.js';
import { CommonFactor } from './common-factor.js';
import { powerOf10, PricePath } from './price-path.js';
import { activityAt } from './seasonality.js';
import type { SynthInstrument } from './synth-instrument.js';

export interface SynthOptions {
  /** A whole number; equal seeds give equal bytes on every machine. */
  readonly seed: number;
  readonly interval: Interval;
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

/**
 * Makes candles of a market that never was: clustered volatility, jumps, volume tied to volatility and to the time of day, prices on
 * a tick grid, correlated instruments; no gaps.
 *
 * Every path runs in minutes of eight steps from the origin, and candles of any interval are exact sums of its minutes.
 * @throws {DomainError} `E_SYNTH` when an option is out of its range.
 */
export function synthesizeCandles(options: SynthOptions): readonly SynthSeries[] {
  const origin = options.origin ?? options.from;
  checkOptions(options, origin);
  const common = new CommonFactor(options.seed);
  const writers = options.instruments.map(
    (instrument) =>
      new CandleWriter(
        instrument,
        new PricePath(instrument, options.seed, options.correlation),
        options,
      ),
  );
  for (let time = origin; time < options.to; time += MINUTE_MS) {
    common.advance();
    const activity = activityAt(time);
    for (const writer of writers) writer.advance(time, common, activity);
  }
  return writers.map((writer) => writer.series());
}

/** Runs a path and puts its minutes together to candles. */
class CandleWriter {
  readonly #instrument: SynthInstrument;
  readonly #path: PricePath;
  readonly #options: SynthOptions;
  readonly #columns: CandleColumns;
  readonly #ticksPerUnit: number;
  readonly #stepsPerUnit: number;
  #row = -1;
  #nextOpen: EpochMs;
  #volumeSteps = 0;

  constructor(instrument: SynthInstrument, path: PricePath, options: SynthOptions) {
    this.#instrument = instrument;
    this.#path = path;
    this.#options = options;
    this.#columns = allocateColumns(Math.ceil((options.to - options.from) / MINUTE_MS));
    this.#ticksPerUnit = powerOf10(instrument.pricePrecision);
    this.#stepsPerUnit = powerOf10(instrument.quantityPrecision);
    this.#nextOpen = options.from;
  }

  advance(time: EpochMs, common: CommonFactor, activity: number): void {
    this.#path.advance(common, activity);
    if (time < this.#options.from) return;
    if (time >= this.#nextOpen) this.#start(time);
    this.#extend();
  }

  series(): SynthSeries {
    return {
      instrumentId: this.#instrument.instrumentId,
      interval: this.#options.interval,
      columns: sliceColumns(this.#columns, 0, this.#row + 1),
      source: describeSource(this.#instrument, this.#options),
    };
  }

  #start(time: EpochMs): void {
    const { openTime, open, high, low } = this.#columns;
    this.#row += 1;
    this.#nextOpen = closeTimeOf(time, this.#options.interval);
    this.#volumeSteps = 0;
    openTime[this.#row] = time;
    open[this.#row] = this.#path.open / this.#ticksPerUnit;
    high[this.#row] = this.#path.high / this.#ticksPerUnit;
    low[this.#row] = this.#path.low / this.#ticksPerUnit;
  }

  #extend(): void {
    const { high, low, close, volume } = this.#columns;
    const row = this.#row;
    high[row] = Math.max(high[row] ?? 0, this.#path.high / this.#ticksPerUnit);
    low[row] = Math.min(low[row] ?? 0, this.#path.low / this.#ticksPerUnit);
    close[row] = this.#path.close / this.#ticksPerUnit;
    // Whole steps are added, and divided once: sums of decimals would leave the grid.
    this.#volumeSteps += this.#path.volume;
    volume[row] = this.#volumeSteps / this.#stepsPerUnit;
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
