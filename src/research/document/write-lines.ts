/** Writes an object as JSON text with a line feed at the end. Lists with one of the names have one line per element. The same values give the same bytes. */
export function writeLines(
  document: Readonly<Record<string, unknown>>,
  lists: readonly string[],
): string {
  const members = Object.entries(document).map(([key, value]) =>
    lists.includes(key) && Array.isArray(value)
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
