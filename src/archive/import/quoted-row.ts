const QUOTE = 34;

/**
 * Whether a row can be cut at its delimiters although it has quotes: the quotes of a cell are its first and its last byte, and none are
 * inside. Other quotes need a full CSV parser, and are mostly errors.
 */
export function isSimplyQuoted(
  bytes: Uint8Array,
  {
    from,
    to,
    delimiter,
  }: { readonly from: number; readonly to: number; readonly delimiter: number },
): boolean {
  for (let at = from; at <= to; at += 1) {
    if (bytes[at] === QUOTE && at < to) {
      at = bytes.indexOf(QUOTE, at + 1) + 1;
      if (at === 0 || at > to || (at < to && bytes[at] !== delimiter)) return false;
    } else {
      for (; at < to && bytes[at] !== delimiter; at += 1) if (bytes[at] === QUOTE) return false;
    }
  }
  return true;
}

/** Cuts a row that {@link isSimplyQuoted} accepts into cells without their quotes. */
export function splitSimplyQuoted(row: string, delimiter: string): readonly string[] {
  const cells: string[] = [];
  for (let at = 0; at <= row.length; at += 1) {
    const isQuoted = row[at] === '"';
    const start = isQuoted ? at + 1 : at;
    const found = row.indexOf(isQuoted ? '"' : delimiter, start);
    const end = found < 0 ? row.length : found;
    cells.push(row.slice(start, end));
    at = isQuoted ? end + 1 : end;
  }
  return cells;
}
