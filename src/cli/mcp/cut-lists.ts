/** Entries of a list that an assistant is shown. */
const SHOWN = 20;

/** A document with its long lists cut: an assistant reads it whole, and pays for each letter. `whole`: where all of it is. */
export function cutLists(value: unknown, whole: string): unknown {
  if (Array.isArray(value)) {
    const shown = value.slice(0, SHOWN).map((entry) => cutLists(entry, whole));
    const left = value.length - shown.length;
    return left === 0 ? shown : [...shown, `… ${String(left)} more in ${whole}`];
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, cutLists(member, whole)]),
  );
}
