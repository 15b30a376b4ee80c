/** Most entries of a list that an assistant receives. */
const SHOWN = 20;

/** Shortens the long lists of a document, because an assistant reads all of it and pays for each letter. `whole`: the place of the full document. */
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
