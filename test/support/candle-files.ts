import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import * as arrow from 'apache-arrow';
import lz4 from 'lz4js';

/** Writes a file into a folder and returns its path. */
export async function writeText(folder: string, name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
}

/** Writes lines of CSV, gzipped, and returns the path. */
export async function writeGzip(folder: string, name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, gzipSync(text));
  return path;
}

/** A Feather file of version 2 with LZ4, as pandas writes them. */
export function encodeFeather(columns: Readonly<Record<string, arrow.Vector>>): Uint8Array {
  arrow.compressionRegistry.set(arrow.CompressionType.LZ4_FRAME, {
    encode: (bytes) => lz4.compress(bytes),
    decode: (bytes) => lz4.decompress(bytes),
  });
  const table = new arrow.Table({ ...columns });
  const writer = new arrow.RecordBatchFileWriter({
    compressionType: arrow.CompressionType.LZ4_FRAME,
  });
  writer.write(table);
  writer.finish();
  return writer.toUint8Array(true);
}
