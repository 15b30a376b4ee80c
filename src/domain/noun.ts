/** The noun of a count for people: `nounOf(1, 'fill')` is "fill", of 0 and 2 it is "fills". */
export function nounOf(count: number, singular: string, plural = `${singular}s`): string {
  return count === 1 ? singular : plural;
}
