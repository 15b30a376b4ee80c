import type * as Arrow from 'apache-arrow';

/** What an Arrow IPC file or stream holds. */
interface ArrowBatches {
  readonly schema: Arrow.Schema;
  readonly batches: readonly Arrow.RecordBatch[];
}

/** A batch takes more than this, even without rows. */
const LEAST_BATCH_BYTES = 64;

/**
 * Reads all batches, one by one: the library's own iteration over a file never ends when the head of a batch is damaged.
 *
 * @param bytes size of the file.
 * @throws {Error} of the library, or RangeError, when the file is damaged.
 */
export async function readBatches(
  reader: Arrow.RecordBatchReader,
  bytes: number,
): Promise<ArrowBatches> {
  await reader.open();
  const batches: Arrow.RecordBatch[] = [];
  if (!reader.isFile()) {
    for await (const batch of reader) batches.push(batch);
    return { schema: reader.schema, batches };
  }
  if (reader.numRecordBatches > bytes / LEAST_BATCH_BYTES) {
    throw new RangeError(`${String(reader.numRecordBatches)} batches in ${String(bytes)} bytes`);
  }
  for (let index = 0; index < reader.numRecordBatches; index += 1) {
    const batch = await reader.readRecordBatch(index);
    if (batch === null) throw new RangeError(`no batch ${String(index)}`);
    batches.push(batch);
  }
  return { schema: reader.schema, batches };
}
