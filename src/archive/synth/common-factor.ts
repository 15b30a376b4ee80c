import { SeededRandom, seedOf } from './random-source.js';

/** Steps of the path inside one minute. */
export const STEPS_PER_MINUTE = 8;
const MINUTES_PER_YEAR = 525_600;
/** Two a month. */
const JUMP_PROBABILITY = 24 / MINUTES_PER_YEAR;

/** What all instruments share: the market's shocks and jumps, minute by minute. */
export class CommonFactor {
  /** Shocks of this minute's steps, each of deviation 1. */
  readonly shocks = new Float64Array(STEPS_PER_MINUTE);
  /** Jump in this minute in hourly deviations; 0 in nearly all of them. */
  jump = 0;
  readonly #random: SeededRandom;

  constructor(seed: number) {
    this.#random = new SeededRandom(seedOf(seed, 'common'));
  }

  advance(): void {
    for (let step = 0; step < STEPS_PER_MINUTE; step += 1) this.shocks[step] = this.#random.bell();
    this.jump = drawJump(this.#random);
  }
}

/** A jump of 3 to 12 hourly deviations up or down in about two minutes of a month, otherwise 0. */
export function drawJump(random: SeededRandom): number {
  if (random.uniform() >= JUMP_PROBABILITY) return 0;
  const size = random.bell();
  return size < 0 ? 3 * size - 3 : 3 * size + 3;
}
