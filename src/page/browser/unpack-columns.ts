import type { PageColumn, PageColumns, PageData, WrittenPage } from '../page-data.js';

type Value = number | string | null;

/** Restores a page from the form of the file. */
export function unpackPage(page: WrittenPage): PageData {
  if (page.kind !== 'run') return page;
  const trades = page.trades === null ? null : unpackColumns(page.trades);
  return { ...page, trades, fills: unpackColumns(page.fills) };
}

/** Reads what `packColumns` wrote. */
export function unpackColumns<Table>(columns: PageColumns<Table>): Table {
  const unpacked = Object.entries<PageColumn>(columns).map(([name, column]) => [
    name,
    unpackColumn(column),
  ]);
  return Object.fromEntries(unpacked) as Table;
}

function unpackColumn(column: PageColumn): readonly Value[] {
  if (!('as' in column)) return column;
  const { as, unit, text } = column;
  const values: Value[] = [];
  let before = 0;
  for (const word of text === '' ? [] : text.split(' ')) {
    const star = word.indexOf('*');
    const value = star < 0 ? word : word.slice(0, star);
    for (let left = star < 0 ? 1 : Number(word.slice(star + 1)); left > 0; left -= 1) {
      if (value === '-') values.push(null);
      else if (as === 'texts') values.push(value);
      else {
        before = as === 'steps' ? before + Number(value) * unit : Number(value);
        values.push(before);
      }
    }
  }
  return values;
}
