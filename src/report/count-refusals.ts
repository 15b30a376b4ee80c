/** Number of refused intents. One entry may stand for several equal refusals. */
export function countRefusals(refusals: readonly { readonly count: number }[]): number {
  return refusals.reduce((sum, { count }) => sum + count, 0);
}
