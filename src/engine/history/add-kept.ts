/** Adds an item to a list that keeps the last `kept` items. Drops the oldest only at twice `kept` items, so that each item moves once. */
export function addKept<T>(list: T[], item: T, kept: number): void {
  list.push(item);
  if (list.length >= 2 * kept) list.splice(0, list.length - kept);
}
