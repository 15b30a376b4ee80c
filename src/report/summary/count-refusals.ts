/** Number of refusals. One entry may stand for several equal ones. It can exceed the number of intents, because each try of an order counts. */
export function countRefusals(refusals: readonly { readonly count: number }[]): number {
  return refusals.reduce((sum, { count }) => sum + count, 0);
}
