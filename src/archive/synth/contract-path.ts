import type { MinuteCandle } from './candle-writer.js';
import { SeededRandom, seedOf } from './random-source.js';
import type { SynthInstrument } from './synth-instrument.js';

/** Premium of last over mark that stays for hours: about 2 basis points, half gone in 4 hours, and up when the price goes up. */
const PREMIUM = { keep: 1 - 0.0029, noise: 0.000015, pull: 0.01 } as const;
/** A deviation that is gone in minutes: about half a basis point. */
const FLICKER = { keep: 0.8, noise: 0.00003 } as const;
const LARGEST_PREMIUM = 0.002;
/** Funding rate without premium: 0.01 % per period. */
const INTEREST = 0.0001;
const LARGEST_RATE = 0.003;
/** Funding rates have eight decimals. */
const RATE_UNITS = 1e8;

/**
 * The last price of a contract beside its mark price, minute by minute, and the funding that follows from the two.
 *
 * The mark price is the path of the market. Last is above it by a premium, which rises when the price rises and decays slowly, and by a
 * flicker, which decays within minutes. The funding rate of a period is its mean premium plus the interest, within bounds: longs pay
 * while last is above mark.
 */
export class ContractPath {
  readonly #random: SeededRandom;
  #premium = 0;
  #flicker = 0;
  #sum = 0;
  #minutes = 0;

  constructor({ instrumentId }: SynthInstrument, seed: number) {
    this.#random = new SeededRandom(seedOf(seed, `${instrumentId} premium`));
  }

  /** Makes the minute of last from that of mark; prices in ticks, volume as it is. */
  advance(mark: MinuteCandle): MinuteCandle {
    const before = 1 + this.#premium + this.#flicker;
    this.#move((mark.close - mark.open) / mark.open);
    const after = 1 + this.#premium + this.#flicker;
    const open = toTicks(mark.open * before);
    const close = toTicks(mark.close * after);
    return {
      open,
      high: Math.max(open, close, toTicks(mark.high * after)),
      low: Math.min(open, close, toTicks(mark.low * after)),
      close,
      volume: mark.volume,
    };
  }

  #move(change: number): void {
    const premium =
      PREMIUM.keep * this.#premium + PREMIUM.pull * change + PREMIUM.noise * this.#random.bell();
    this.#premium = Math.min(LARGEST_PREMIUM, Math.max(-LARGEST_PREMIUM, premium));
    this.#flicker = FLICKER.keep * this.#flicker + FLICKER.noise * this.#random.bell();
    this.#sum += this.#premium + this.#flicker;
    this.#minutes += 1;
  }

  /** Ends a period: its funding rate, or undefined when it had no minute. */
  settle(): number | undefined {
    if (this.#minutes === 0) return undefined;
    const rate = INTEREST + this.#sum / this.#minutes;
    this.#sum = 0;
    this.#minutes = 0;
    const bounded = Math.min(LARGEST_RATE, Math.max(-LARGEST_RATE, rate));
    // Adding 0 turns -0 into 0.
    return Math.round(bounded * RATE_UNITS) / RATE_UNITS + 0;
  }
}

function toTicks(ticks: number): number {
  return Math.max(1, Math.round(ticks));
}
