import { createInstrumentId, splitInstrumentId, type InstrumentId } from '../../domain/index.js';
import { drawJump, STEPS_PER_MINUTE, type CommonFactor } from './common-factor.js';
import { SeededRandom, seedOf } from './random-source.js';
import type { SynthInstrument } from './synth-instrument.js';

const MINUTES_PER_YEAR = 525_600;
const MINUTES_PER_DAY = 1_440;
/**
 * Variance against its long-run mean is the product of two GARCH(1,1) processes, one with a half-life of four hours and one of four
 * days: `v += pull × (1 - v) + gain × v × (square - 1)`. The gains give the first a variance of about 0.6, the second of 0.8.
 */
const FAST = { pull: 0.0029, gain: 0.033 } as const;
const SLOW = { pull: 0.00012, gain: 0.0073 } as const;
/** Five times the mean deviation. */
const LARGEST_VARIANCE = 25;
/** Largest squared return that counts, in variances. Without this bound one jump would raise the variance for days. */
const LARGEST_SQUARE = 20;
/** The open is one small step from the close before: this share of the minute's variance. */
const OPEN_SHARE = 1 / 400;
const STEP_SCALES = Float64Array.from({ length: STEPS_PER_MINUTE }, (_, step) =>
  Math.sqrt(step === 0 ? OPEN_SHARE : (1 - OPEN_SHARE) / (STEPS_PER_MINUTE - 1)),
);
const LARGEST_STEP = 0.3;

/**
 * The price of one instrument, minute by minute: a random walk with jumps, whose variance depends on past squared returns, and volume that
 * grows with variance and with the minute's move.
 *
 * After {@link advance} the fields hold the minute's candle in ticks and in quantity steps, all whole numbers.
 */
export class PricePath {
  open = 0;
  high = 0;
  low = 0;
  close = 0;
  volume = 0;
  readonly #random: SeededRandom;
  readonly #ticksPerUnit: number;
  readonly #stepsPerMinute: number;
  readonly #minuteDeviation: number;
  readonly #commonWeight: number;
  readonly #ownWeight: number;
  #price: number;
  #fast = 1;
  #slow = 1;

  constructor(instrument: SynthInstrument, seed: number, correlation: number) {
    this.#random = new SeededRandom(seedOf(seed, marketOf(instrument)));
    this.#price = instrument.startPrice;
    this.#ticksPerUnit = powerOf10(instrument.pricePrecision);
    this.#stepsPerMinute =
      (instrument.dailyVolume / MINUTES_PER_DAY) * powerOf10(instrument.quantityPrecision);
    this.#minuteDeviation = instrument.volatility / Math.sqrt(MINUTES_PER_YEAR);
    this.#commonWeight = Math.sqrt(correlation);
    this.#ownWeight = Math.sqrt(1 - correlation);
  }

  /** Moves one minute on; `activity` scales variance and volume with the time of day. */
  advance(common: CommonFactor, activity: number): void {
    const variance = Math.min(LARGEST_VARIANCE, this.#fast * this.#slow);
    const deviation = this.#minuteDeviation * Math.sqrt(variance * activity);
    const start = this.#price;
    this.#walk(common, deviation);
    const move = (this.#price - start) / start / deviation;
    const square = Math.min(move * move, LARGEST_SQUARE);
    this.#fast += FAST.pull * (1 - this.#fast) + FAST.gain * this.#fast * (square - 1);
    this.#slow += SLOW.pull * (1 - this.#slow) + SLOW.gain * this.#slow * (square - 1);
    this.#trade(variance, activity, Math.sqrt(square));
  }

  #walk(common: CommonFactor, deviation: number): void {
    const jump = common.jump + drawJump(this.#random);
    for (let step = 0; step < STEPS_PER_MINUTE; step += 1) {
      const shock =
        this.#commonWeight * (common.shocks[step] ?? 0) + this.#ownWeight * this.#random.bell();
      const jumped = step === STEPS_PER_MINUTE / 2 ? jump * this.#hourlyDeviation : 0;
      const change = deviation * (STEP_SCALES[step] ?? 0) * shock + jumped;
      this.#price *= 1 + Math.min(LARGEST_STEP, Math.max(-LARGEST_STEP, change));
      const ticks = Math.max(1, Math.round(this.#price * this.#ticksPerUnit));
      if (step === 0) {
        this.open = ticks;
        this.high = ticks;
        this.low = ticks;
      }
      if (ticks > this.high) this.high = ticks;
      if (ticks < this.low) this.low = ticks;
      this.close = ticks;
    }
  }

  /** Volume: more when variance is high, when the price moved, and by chance (a squared bell, mean 1, skewed to the right). */
  #trade(variance: number, activity: number, move: number): void {
    const chance = this.#random.bell();
    const factor =
      activity *
      (0.35 + 0.65 * Math.sqrt(variance)) *
      (0.6 + 0.5 * move) *
      (0.5 + 0.5 * chance * chance);
    this.volume = Math.max(1, Math.round(this.#stepsPerMinute * factor));
  }

  get #hourlyDeviation(): number {
    return this.#minuteDeviation * Math.sqrt(60);
  }
}

/** Margin trades on the spot market: one path for both. */
function marketOf({ instrumentId, like }: SynthInstrument): InstrumentId {
  if (like !== undefined) return like;
  const { kind, symbol } = splitInstrumentId(instrumentId);
  return kind === 'margin' ? createInstrumentId('spot', symbol) : instrumentId;
}

/** 10 to a whole power, by multiplication: exact up to 10^22 and the same everywhere. */
export function powerOf10(exponent: number): number {
  let power = 1;
  for (let count = 0; count < exponent; count += 1) power *= 10;
  return power;
}
