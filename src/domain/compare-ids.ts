/** Compares ids of a venue, oldest first. They are whole numbers above 2^53 as text: the longer one is the greater. */
export function compareIds(a: string, b: string): number {
  if (a.length !== b.length) return a.length - b.length;
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
