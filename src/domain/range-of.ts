/** Lowest and highest of some numbers; Infinity and -Infinity without any. A list may be longer than the arguments that a call can take. */
export function rangeOf(values: readonly number[]): readonly [lowest: number, highest: number] {
  let [lowest, highest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    if (value < lowest) lowest = value;
    if (value > highest) highest = value;
  }
  return [lowest, highest];
}
