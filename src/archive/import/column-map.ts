import { DataError } from '../../domain/index.js';
import type { FileLayout } from './file-layout.js';

/** Where in a file the columns of a layout are, counted from 0: first the time, then the numbers. */
export type ColumnMap = readonly number[];

/** Marks a column to skip in `--columns`. */
const SKIPPED = '-';

/**
 * Finds the columns of a layout by their names.
 *
 * @throws {DataError} `E_DATA_COLUMN` naming the file and the column when one is absent or there twice.
 */
export function mapColumns(layout: FileLayout, names: readonly string[], path: string): ColumnMap {
  const plain = names.map((name) =>
    name === SKIPPED ? name : name.toLowerCase().replace(/[^a-z0-9]/g, ''),
  );
  return layout.columns.map(({ name, synonyms }) => {
    for (const synonym of synonyms) {
      const index = plain.indexOf(synonym);
      if (index < 0) continue;
      if (plain.includes(synonym, index + 1)) {
        throw new DataError(
          'E_DATA_COLUMN',
          `${path}: expected one column for ${name}, received "${names[index] ?? ''}" twice`,
        );
      }
      return index;
    }
    throw new DataError(
      'E_DATA_COLUMN',
      `${path}: expected a column for ${name}, received ${names.map((each) => `"${each}"`).join(', ')}; name the columns in order with --columns`,
    );
  });
}
