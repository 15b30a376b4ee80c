/** Bounds of a text file. A larger file holds no rows of ours, or is made to fill memory or disk. */

/** Longest row, in bytes: a row of candles has some hundred. */
export const LONGEST_ROW = 1 << 20;

/** Minutes of ninety-five years, blank lines counted. */
export const MOST_ROWS = 50_000_000;

/** Most bytes of text, unpacked: a million rows have some hundred million. */
export const MOST_TEXT_BYTES = 8 * 1024 ** 3;
