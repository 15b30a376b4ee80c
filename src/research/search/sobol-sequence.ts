import { present, UsageError } from '../../domain/index.js';
import type { SearchSpace } from './search-space.js';

const BITS = 32;
const SCALE = 2 ** BITS;

/**
 * Per dimension after the first: the coefficients of a primitive polynomial as one number, and the first direction numbers, as many as its degree.
 *
 * Source: Joe, Kuo 2008, *Constructing Sobol sequences with better two-dimensional projections*, file new-joe-kuo-6.21201.
 */
const DIRECTIONS: readonly (readonly [coefficients: number, first: readonly number[]])[] = [
  [0, [1]],
  [1, [1, 3]],
  [1, [1, 3, 1]],
  [2, [1, 1, 1]],
  [1, [1, 1, 3, 3]],
  [4, [1, 3, 5, 13]],
  [2, [1, 1, 5, 5, 17]],
  [4, [1, 1, 5, 5, 5]],
  [7, [1, 1, 7, 11, 19]],
  [11, [1, 1, 5, 1, 1]],
  [13, [1, 1, 1, 3, 11]],
  [14, [1, 3, 5, 5, 31]],
  [1, [1, 3, 3, 9, 7, 49]],
  [13, [1, 1, 1, 15, 21, 21]],
  [16, [1, 3, 1, 13, 27, 49]],
  [19, [1, 1, 1, 15, 7, 5]],
  [22, [1, 3, 1, 15, 13, 25]],
  [25, [1, 1, 5, 5, 19, 61]],
  [1, [1, 3, 7, 11, 23, 15, 103]],
  [4, [1, 3, 7, 13, 13, 15, 69]],
  [7, [1, 1, 3, 13, 7, 35, 63]],
  [8, [1, 3, 5, 9, 1, 25, 53]],
  [14, [1, 3, 1, 13, 9, 35, 107]],
  [19, [1, 3, 1, 5, 27, 61, 31]],
  [21, [1, 1, 5, 11, 19, 41, 61]],
  [28, [1, 3, 5, 3, 3, 13, 69]],
  [31, [1, 1, 7, 13, 1, 19, 1]],
  [32, [1, 3, 7, 5, 13, 19, 59]],
  [37, [1, 1, 3, 9, 25, 29, 41]],
  [41, [1, 3, 5, 13, 23, 1, 55]],
  [42, [1, 3, 7, 3, 13, 59, 17]],
];

/** Most dimensions with direction numbers. */
export const MAX_DIMENSIONS = DIRECTIONS.length + 1;

/**
 * Points of a cube that are spread more evenly than random ones: of the first 2^m points, each of the 2^m equal parts of every axis holds one.
 *
 * Source: Sobol 1967, in the order of Antonov, Saleev 1979; scrambled as Owen 1995: each bit of a coordinate is flipped by a coin that depends on the bits
 * before it, which keeps the evenness and removes the regularity.
 */
export class SobolSequence {
  readonly #directions: readonly Uint32Array[];
  readonly #state: Uint32Array;
  readonly #seed: number | undefined;
  #count = 0;

  /** `dimensions` from 1 to {@link MAX_DIMENSIONS}. Without a seed the sequence is not scrambled, and its first point is 0 on every axis. */
  constructor(dimensions: number, seed?: number) {
    this.#directions = Array.from({ length: dimensions }, (_, index) => directionsOf(index));
    this.#state = new Uint32Array(dimensions);
    this.#seed = seed;
  }

  /** The next point. Coordinates are from 0 to 1, 1 excluded. There are 2³² points. */
  next(): readonly number[] {
    if (this.#count > 0) this.#step();
    this.#count += 1;
    return Array.from(this.#state, (coordinate, dimension) => {
      const bits =
        this.#seed === undefined ? coordinate : scramble(coordinate, this.#seed, dimension);
      return bits / SCALE;
    });
  }

  /** Neighboring points differ by one direction: that of the last zero bit in the number of the earlier point. */
  #step(): void {
    let rest = this.#count - 1;
    let bit = 0;
    while (rest % 2 === 1) {
      rest = Math.floor(rest / 2);
      bit += 1;
    }
    for (const [dimension, directions] of this.#directions.entries())
      this.#state[dimension] =
        present(this.#state[dimension], 'coordinate') ^ present(directions[bit], 'direction');
  }
}

/**
 * The scrambled sequence over a search space.
 *
 * @throws {UsageError} `E_SWEEP_SIZE` when the space has more than {@link MAX_DIMENSIONS} axes.
 */
export function sobolOf(space: SearchSpace, seed: number): SobolSequence {
  if (space.length <= MAX_DIMENSIONS) return new SobolSequence(space.length, seed);
  throw new UsageError(
    'E_SWEEP_SIZE',
    `expected at most ${String(MAX_DIMENSIONS)} parameters for this search, received ${String(space.length)}; name fewer with --grid, or fix some with --fix`,
  );
}

/** The 32 direction numbers of a dimension, each shifted to the bits that it flips. */
function directionsOf(dimension: number): Uint32Array {
  const directions = new Uint32Array(BITS);
  const at = (index: number): number => directions[index] ?? 0;
  const [coefficients, first] =
    dimension === 0 ? [0, []] : present(DIRECTIONS[dimension - 1], 'direction numbers');
  const degree = first.length;
  for (let index = 0; index < BITS; index += 1) {
    if (degree === 0 || index < degree) {
      directions[index] = (first[index] ?? 1) << (BITS - 1 - index);
      continue;
    }
    let direction = at(index - degree) ^ (at(index - degree) >>> degree);
    for (let term = 1; term < degree; term += 1)
      if (((coefficients >> (degree - 1 - term)) & 1) === 1) direction ^= at(index - term);
    directions[index] = direction;
  }
  return directions;
}

function scramble(coordinate: number, seed: number, dimension: number): number {
  const start = mix(mix(seed ^ 0x9e3779b9) ^ dimension);
  let scrambled = 0;
  for (let bit = BITS - 1; bit >= 0; bit -= 1) {
    // A leading 1 makes prefixes of different lengths different.
    const prefix = bit === BITS - 1 ? 1 : (coordinate >>> (bit + 1)) | (1 << (BITS - 1 - bit));
    const coin = mix(start ^ mix(prefix)) & 1;
    scrambled |= (((coordinate >>> bit) & 1) ^ coin) << bit;
  }
  return scrambled >>> 0;
}

/** Mixes 32 bits. Source: `lowbias32` of Wellons 2018, *Prospecting for hash functions*. */
function mix(value: number): number {
  let bits = value >>> 0;
  bits = Math.imul(bits ^ (bits >>> 16), 0x7feb352d);
  bits = Math.imul(bits ^ (bits >>> 15), 0x846ca68b);
  return (bits ^ (bits >>> 16)) >>> 0;
}
