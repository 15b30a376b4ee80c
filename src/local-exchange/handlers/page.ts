/** Selects rows of a list. */
export interface Page {
  /** First id, inclusive. @defaultValue the first row */
  readonly fromId?: string | undefined;
  readonly limit: number;
}

/**
 * Selects the first rows of a list in rising ids from an id on. Returns the newest first, as the documents of the interface's family show lists.
 *
 * `fromId` counts upwards: only then does a client that remembers the largest id it has seen miss nothing.
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
