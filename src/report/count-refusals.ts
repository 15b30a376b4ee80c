/** How many intents were turned down: equal ones are one entry. */
export function countRefusals(refusals: readonly { readonly count: number }[]): number {
  return refusals.reduce((sum, { count }) => sum + count, 0);
}
