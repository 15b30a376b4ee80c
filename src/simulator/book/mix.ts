/**
 * Mixes whole numbers into 32 bits that look random: the same on every machine, and for the same numbers always. Chances of the
 * synthetic market are drawn by what they belong to (a candle, a level), not one after another, so that no answer depends on what was
 * asked before.
 */
export function mix(seed: number, ...parts: readonly number[]): number {
  let state = seed | 0;
  for (const part of parts) {
    // Times exceed 32 bits: their upper half counts too.
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
