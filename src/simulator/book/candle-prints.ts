import { floorToStep, type EpochMs, type Fixed, type Side } from '../../domain/index.js';
import { publishedPrice, type CandlePath } from '../path/candle-path.js';
import { mix } from './mix.js';

/** Grids of prices and quantities. */
export interface Grid {
  readonly tick: Fixed;
  readonly step: Fixed;
}

/** One public trade. */
interface Print {
  readonly time: EpochMs;
  readonly price: Fixed;
  /** > 0, in base or contracts. */
  readonly quantity: Fixed;
  readonly takerSide: Side;
}

/** Number of prints at drawn times, besides those at the open, the corners of the path and the close. */
const DRAWN_PRINTS = 20;
/** Sizes differ by up to this factor. */
const SIZES = 64;

interface CandlePrintsOptions {
  readonly path: CandlePath;
  /** Volume of the whole candle, in base or contracts. */
  readonly volume: Fixed;
  readonly grid: Grid;
  readonly seed: number;
}

/**
 * The trades that make up one candle. The first is at the open. The last is at the close, one millisecond before the candle ends. The others are at
 * the corners of the path and at drawn times in between, each at the price of the path. Quantities are drawn, lie on the step and sum up to the
 * candle's volume exactly. The last trade takes the rest, which is off the step if the volume is.
 */
export class CandlePrints {
  readonly #options: CandlePrintsOptions;
  /** Rising. A short candle may hold equal times. */
  readonly #times: readonly EpochMs[];
  /** Cumulative shares of the volume, as parts of the last entry. */
  readonly #shares: readonly number[];

  constructor(options: CandlePrintsOptions) {
    this.#options = options;
    const { path, seed } = options;
    this.#times = printTimes(path, seed);
    let sum = 0;
    this.#shares = this.#times.map((_, index) => {
      sum += 1 + (mix(seed, path.shape.openTime, index, 1) % SIZES);
      return sum;
    });
  }

  /** Volume printed up to and including `time`. */
  volumeBy(time: EpochMs): Fixed {
    return this.#volumeOf(this.#countBy(time));
  }

  /** Trades up to and including `time`, oldest first. Skips trades whose quantity rounds down to 0. */
  listBy(time: EpochMs): readonly Print[] {
    const { path, grid } = this.#options;
    const prints: Print[] = [];
    const count = this.#countBy(time);
    let before = 0n;
    for (let index = 0; index < count; index += 1) {
      const volume = this.#volumeOf(index + 1);
      const quantity = volume - before;
      before = volume;
      if (quantity === 0n) continue;
      const isLast = index === this.#times.length - 1;
      const printTime = this.#times[index] ?? Number.NaN;
      const at = isLast ? path.shape.closeTime : printTime;
      prints.push({
        time: printTime,
        price: publishedPrice(path.at(at), grid.tick),
        quantity,
        takerSide: this.#takerSide(printTime, index),
      });
    }
    return prints;
  }

  #countBy(time: EpochMs): number {
    const after = this.#times.findIndex((printTime) => printTime > time);
    return after < 0 ? this.#times.length : after;
  }

  /** Volume of the first `count` trades. */
  #volumeOf(count: number): Fixed {
    const { volume, grid } = this.#options;
    if (count >= this.#shares.length) return volume;
    const share = BigInt(this.#shares[count - 1] ?? 0);
    return floorToStep((volume * share) / BigInt(this.#shares.at(-1) ?? 1), grid.step);
  }

  /** The taker buys while the path rises and sells while it falls. On a flat path the side is drawn. */
  #takerSide(time: EpochMs, index: number): Side {
    const { path, seed } = this.#options;
    const segment = path.segments.find(({ toTime }) => time < toTime) ?? path.segments.at(-1);
    const rise = segment === undefined ? 0n : segment.to - segment.from;
    if (rise !== 0n) return rise > 0n ? 'buy' : 'sell';
    return mix(seed, path.shape.openTime, index, 2) % 2 === 0 ? 'buy' : 'sell';
  }
}

function printTimes({ shape, segments }: CandlePath, seed: number): readonly EpochMs[] {
  const { openTime, closeTime } = shape;
  const last = closeTime - 1;
  const corners = segments.slice(0, -1).map(({ toTime }) => toTime);
  const slot = (closeTime - openTime) / DRAWN_PRINTS;
  const drawn = Array.from({ length: DRAWN_PRINTS }, (_, index) => {
    const place = mix(seed, openTime, index) / 2 ** 32;
    return Math.min(openTime + Math.floor(slot * (index + place)), last);
  });
  return [openTime, ...corners, ...drawn, last].sort((a, b) => a - b);
}
