/**
 * Describes the change of a text: removed and added lines, each with its number. The time grows with the product of the lengths of both
 * changed parts.
 */
export function describeChanges(before: string, after: string): string {
  const [old, edited] = [before.split(/\r?\n/), after.split(/\r?\n/)];
  let first = 0;
  while (first < Math.min(old.length, edited.length) && old[first] === edited[first]) first += 1;
  const kept = keptLines(old.slice(first), edited.slice(first));
  const changes: string[] = [];
  let [at, to] = [first, first];
  for (const [keptOld, keptEdited] of [
    ...kept,
    [old.length - first, edited.length - first],
  ] as const) {
    for (; at < first + keptOld; at += 1) changes.push(`  ${String(at + 1)} - ${old[at] ?? ''}\n`);
    for (; to < first + keptEdited; to += 1)
      changes.push(`  ${String(to + 1)} + ${edited[to] ?? ''}\n`);
    at += 1;
    to += 1;
  }
  return changes.join('');
}

/** Positions, in both texts, of the lines of a longest common subsequence, in order. */
function keptLines(
  old: readonly string[],
  edited: readonly string[],
): readonly (readonly [old: number, edited: number])[] {
  const lengths = Array.from({ length: old.length + 1 }, () => new Uint32Array(edited.length + 1));
  const length = (i: number, j: number): number => lengths[i]?.[j] ?? 0;
  for (let i = old.length - 1; i >= 0; i -= 1)
    for (let j = edited.length - 1; j >= 0; j -= 1) {
      const row = lengths[i];
      if (row === undefined) continue;
      row[j] =
        old[i] === edited[j]
          ? length(i + 1, j + 1) + 1
          : Math.max(length(i + 1, j), length(i, j + 1));
    }
  const kept: (readonly [number, number])[] = [];
  for (let [i, j] = [0, 0]; i < old.length && j < edited.length;) {
    if (old[i] === edited[j]) {
      kept.push([i, j]);
      [i, j] = [i + 1, j + 1];
    } else if (length(i + 1, j) >= length(i, j + 1)) i += 1;
    else j += 1;
  }
  return kept;
}
