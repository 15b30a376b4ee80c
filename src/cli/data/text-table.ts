import { visibleText } from '../../domain/index.js';

/** A column of a table: its heading, and the alignment of its cells. */
export interface TextColumn {
  readonly head: string;
  readonly align: 'left' | 'right';
}

const BETWEEN = '  ';

/**
 * Lays rows out in columns, with a heading and a line below it. The time grows linearly with the cells: an archive may hold ten thousand series.
 *
 * A column is as wide as its longest cell, counted in UTF-16 units. Text of a cell, such as the name of a file, cannot control the terminal.
 */
export function formatTable(
  columns: readonly TextColumn[],
  written: readonly (readonly string[])[],
): string {
  const rows = written.map((row) => row.map(visibleText));
  const widths = columns.map(({ head }, index) =>
    rows.reduce((widest, row) => Math.max(widest, row[index]?.length ?? 0), head.length),
  );
  const line = (cells: readonly string[]): string =>
    columns
      .map(({ align }, index) => {
        const cell = cells[index] ?? '';
        const width = widths[index] ?? 0;
        return align === 'left' ? cell.padEnd(width) : cell.padStart(width);
      })
      .join(BETWEEN)
      .trimEnd();
  const heads = columns.map(({ head }) => head);
  const rule = widths.map((width) => '─'.repeat(width));
  return [heads, rule, ...rows].map((cells) => `${line(cells)}\n`).join('');
}
