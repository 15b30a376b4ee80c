/** Adds to a list of which the last `kept` are wanted. The oldest are dropped when there are twice as many: that moves each but once. */
export function addKept<T>(list: T[], item: T, kept: number): void {
  list.push(item);
  if (list.length >= 2 * kept) list.splice(0, list.length - kept);
}
