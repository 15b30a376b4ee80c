import { readFile } from 'node:fs/promises';
import { DataError } from '../../domain/index.js';
import { readBatches } from '../files/arrow-batches.js';
import { timestampsToNumbers } from '../files/arrow-encode.js';
import { corruptFile } from '../files/data-file.js';
import type { ColumnLayout } from './columns.js';

/** Columns of a file whose metadata was lost, and what the file says of itself. */
interface RecoveredColumns<Columns> {
  readonly description: string;
  readonly columns: Columns;
}

/**
 * Reads an Arrow file of the archive without its metadata, after a crash between the two writes.
 *
 * @throws {DataError} `E_DATA_CORRUPT` unless the file is whole and ours.
 */
export async function recoverColumns<Columns>(
  path: string,
  layout: ColumnLayout<Columns>,
): Promise<RecoveredColumns<Columns>> {
  const { RecordBatchReader } = await import('apache-arrow');
  try {
    const bytes = await readFile(path);
    const { schema, batches } = await readBatches(RecordBatchReader.from(bytes), bytes.byteLength);
    const description = schema.metadata.get('evenkeel');
    if (description === undefined || batches.length > 1)
      throw corruptFile(path, 'evenkeel did not write it');
    const children = batches[0]?.data.children ?? [];
    const columns = layout.allocate(batches[0]?.numRows ?? 0);
    for (const [index, { kind, values }] of layout.fileColumns(columns).entries()) {
      copyBits(children[index]?.values, values);
      if (kind === 'time') timestampsToNumbers(values);
    }
    return { description, columns };
  } catch (error) {
    if (error instanceof DataError) throw error;
    throw corruptFile(path, 'it cannot be read as an Arrow file', error);
  }
}

/** Copies eight bytes per row, whatever type they have. */
function copyBits(source: unknown, target: Float64Array): void {
  if (!ArrayBuffer.isView(source) || source.byteLength < target.byteLength) {
    throw new TypeError(`expected ${String(target.byteLength)} bytes in a column`);
  }
  new Uint8Array(target.buffer, target.byteOffset, target.byteLength).set(
    new Uint8Array(source.buffer, source.byteOffset, target.byteLength),
  );
}
