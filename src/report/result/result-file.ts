import type { Result } from './result-schema.js';

/**
 * Writes a result as JSON text: keys in the order of the schema, one line per order, fill, refusal and curve point, a line feed at the end. The same result
 * gives the same bytes.
 */
export function writeResult(result: Result): string {
  return [...resultPieces(result)].join('');
}

/** Lines of a list per piece. */
const PIECE_LINES = 1_024;

/** The text of {@link writeResult} in pieces, each made on demand: a run with millions of fills would not fit into one string. */
export function* resultPieces(result: Result): Generator<string, void, undefined> {
  let before = '{\n';
  for (const [key, value] of Object.entries(result)) {
    yield `${before}  ${JSON.stringify(key)}: `;
    yield* memberPieces(value);
    before = ',\n';
  }
  yield '\n}\n';
}

function* memberPieces(value: unknown): Generator<string, void, undefined> {
  if (!Array.isArray(value)) yield JSON.stringify(value, null, 2).replaceAll('\n', '\n  ');
  else if (value.length === 0) yield '[]';
  else {
    for (let start = 0; start < value.length; start += PIECE_LINES) {
      const entries = value.slice(start, start + PIECE_LINES);
      const lines = entries.map((entry) => JSON.stringify(entry));
      yield `${start === 0 ? '[' : ','}\n    ${lines.join(',\n    ')}`;
    }
    yield '\n  ]';
  }
}
