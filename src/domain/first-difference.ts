/** The first line in which two texts differ. */
interface LineDifference {
  /** Counted from 1. */
  readonly line: number;
  /** Without the spaces around it; undefined after the last line. */
  readonly expected: string | undefined;
  readonly received: string | undefined;
}

/** Compares texts line by line; undefined if they are the same. */
export function findFirstDifference(
  expected: readonly string[],
  received: readonly string[],
): LineDifference | undefined {
  const length = Math.max(expected.length, received.length);
  for (let at = 0; at < length; at += 1)
    if (expected[at] !== received[at])
      return { line: at + 1, expected: expected[at]?.trim(), received: received[at]?.trim() };
  return undefined;
}
