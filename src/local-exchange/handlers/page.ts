/** Which rows of a list are wanted. */
export interface Page {
  /** First id, inclusive. @defaultValue the first row there is */
  readonly fromId?: string | undefined;
  readonly limit: number;
}

/**
 * The first rows of a list in rising ids from an id on; newest first, as the documents of the interface's family show lists.
 *
 * Going from an id upwards is the one reading of `fromId` by which a client that remembers the largest id it has seen misses nothing.
 */
export function pageOf<T>(
  rows: readonly T[],
  idOf: (row: T) => string,
  { fromId = '0', limit }: Page,
): readonly T[] {
  const from = BigInt(fromId);
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const row = rows[middle];
    if (row !== undefined && BigInt(idOf(row)) < from) low = middle + 1;
    else high = middle;
  }
  return rows.slice(low, low + limit).toReversed();
}
