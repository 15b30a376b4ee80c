/**
 * Mixes whole numbers into 32 pseudo-random bits. The result depends only on the numbers and is the same on every machine. The synthetic market keys
 * each draw by the thing that it belongs to (a candle, a level). It does not draw from one sequence, so earlier queries do not change an answer.
 */
export function mix(seed: number, ...parts: readonly number[]): number {
  let state = seed | 0;
  for (const part of parts) {
    // Times need more than 32 bits, so the upper half is mixed in too.
    state = stir(state ^ (part | 0));
    state = stir(state ^ Math.floor(part / 2 ** 32));
  }
  return state >>> 0;
}

/** Finalizer of MurmurHash3: every bit of the input moves about half of the output's. */
function stir(value: number): number {
  let bits = (value + 0x9e3779b9) | 0;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return bits ^ (bits >>> 16);
}
