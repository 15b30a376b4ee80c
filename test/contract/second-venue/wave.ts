/** When the wave begins. */
export const WAVE_START = Date.UTC(2025, 0, 1);
const HOUR = 3_600_000;

/** Best bid in cents: a wave of one hour, 1 % up and down, with a ripple. */
export function wave(time: number): bigint {
  const hours = (time - WAVE_START) / HOUR;
  const ripple = 3_000 * Math.sin(hours * 160);
  return BigInt(Math.round(6_500_000 + 65_000 * Math.sin(hours * 2 * Math.PI) + ripple));
}
