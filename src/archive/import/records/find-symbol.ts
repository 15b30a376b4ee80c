import { DataError } from '../../../domain/index.js';

/**
 * Finds the one entry of a file that has a symbol.
 *
 * @throws {DataError} `E_DATA_RECORD` when there is none, naming symbols that are alike, or more than one.
 */
export function findSymbol<T>(
  entries: readonly T[],
  symbolOf: (entry: T) => string,
  { path, symbol }: { readonly path: string; readonly symbol: string },
): T {
  const found = entries.filter((entry) => symbolOf(entry) === symbol);
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  const received =
    found.length > 1
      ? `${String(found.length)} of them`
      : `none among ${String(entries.length)}${describeAlike(entries.map(symbolOf), symbol)}`;
  throw new DataError(
    'E_DATA_RECORD',
    `${path}: expected one symbol ${symbol}, received ${received}`,
  );
}

/** Symbols named in a message. */
const MOST_NAMED = 3;

function describeAlike(symbols: readonly string[], symbol: string): string {
  const bare = (text: string): string => text.replace(/[^A-Za-z0-9]/g, '').toUpperCase();
  const wanted = bare(symbol);
  const alike = symbols.filter((other) => {
    const candidate = bare(other);
    return wanted !== '' && (candidate.startsWith(wanted) || wanted.startsWith(candidate));
  });
  if (alike.length === 0) return '';
  return `; did you mean ${alike.slice(0, MOST_NAMED).join(', ')}?`;
}
