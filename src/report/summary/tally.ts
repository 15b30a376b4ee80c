/** Number of entries with one key, and the first of them. */
interface Tally<T> {
  readonly key: string;
  readonly count: number;
  readonly first: T;
}

/** Counts entries by key: the most frequent first, equal counts by key. `countOf`: the weight of an entry. */
export function tally<T>(
  entries: readonly T[],
  keyOf: (entry: T) => string,
  countOf: (entry: T) => number = () => 1,
): readonly Tally<T>[] {
  const groups = new Map<string, { count: number; readonly first: T }>();
  for (const entry of entries) {
    const key = keyOf(entry);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { count: countOf(entry), first: entry });
    else group.count += countOf(entry);
  }
  return [...groups]
    .map(([key, group]) => ({ key, ...group }))
    .sort((a, b) => b.count - a.count || (a.key < b.key ? -1 : 1));
}
