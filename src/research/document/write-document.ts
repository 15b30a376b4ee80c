/** Lists of documents that have one line per element. */
const LISTS: readonly string[] = ['trials', 'paths', 'splits', 'folds', 'curve'];

/** Writes a document as JSON text with a line feed at the end. A long list has one line per element. The same values give the same bytes. */
export function writeDocument(document: object): string {
  const members = Object.entries(document).map(([key, value]: [string, unknown]) =>
    LISTS.includes(key) && Array.isArray(value)
      ? `  ${JSON.stringify(key)}: ${linesOf(value)}`
      : `  ${JSON.stringify(key)}: ${inBlock(value)}`,
  );
  return `{\n${members.join(',\n')}\n}\n`;
}

function linesOf(list: readonly unknown[]): string {
  const lines = list.map((element) => `    ${JSON.stringify(element)}`);
  return lines.length === 0 ? '[]' : `[\n${lines.join(',\n')}\n  ]`;
}

function inBlock(value: unknown): string {
  return JSON.stringify(value, null, 2).replaceAll('\n', '\n  ');
}
