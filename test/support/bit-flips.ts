import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/** Places of digits that belong to a value: within texts, between other digits. */
export function digitPlaces(bytes: Buffer, from = 0): readonly number[] {
  const isDigit = (at: number): boolean => (bytes[at] ?? 0) >= 0x30 && (bytes[at] ?? 0) <= 0x39;
  const places: number[] = [];
  for (let place = from; place < bytes.length; place += 1)
    if (isDigit(place) && (isDigit(place - 1) || isDigit(place + 1))) places.push(place);
  return places;
}

/** Whole numbers below a limit, drawn from a seed. */
export function drawnBelow(seed: number): (limit: number) => number {
  const random = xoroshiro128plus(seed);
  return (limit) => (random.next() >>> 0) % limit;
}

/** A copy of the bytes with one bit flipped. */
export function withFlipped(bytes: Buffer, place: number, bit: number): Buffer {
  const damaged = Buffer.from(bytes);
  damaged[place] = (damaged[place] ?? 0) ^ (1 << bit);
  return damaged;
}
