import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

const TWO_TO_32 = 4_294_967_296;
/** The generator's first numbers of neighboring seeds resemble each other. */
const WARM_UP = 32;
/** Uniforms per normal: their sum has a standard deviation of 1/2, and tails that end at ±3. */
const UNIFORMS = 3;

/**
 * A seeded stream of random numbers.
 *
 * It uses additions and multiplications only, which IEEE 754 defines to the last bit, and neither logarithms nor sines, which
 * engines round differently: the same seed gives the same numbers on every machine.
 */
export class SeededRandom {
  readonly #generator: { next(): number };

  constructor(seed: number) {
    this.#generator = xoroshiro128plus(seed);
    for (let draw = 0; draw < WARM_UP; draw += 1) this.#generator.next();
  }

  /** A number in `[0, 1)`. */
  uniform(): number {
    return (this.#generator.next() >>> 0) / TWO_TO_32;
  }

  /** A number of mean 0 and deviation 1 between -3 and 3, bell-shaped: a sum of uniforms. */
  bell(): number {
    let sum = -UNIFORMS / 2;
    for (let draw = 0; draw < UNIFORMS; draw += 1) sum += this.uniform();
    return 2 * sum;
  }
}

/** Derives the seed of a named stream, so that each instrument's path is the same whichever others are made. */
export function seedOf(seed: number, name: string): number {
  let hash = 0x811c9dc5 ^ seed;
  for (const byte of new TextEncoder().encode(name)) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash | 0;
}
