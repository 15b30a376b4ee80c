import { hash } from 'node:crypto';
import { open, type FileHandle } from 'node:fs/promises';
import { DataError, reasonOf } from '../../domain/index.js';
import type { DailyReturns } from '../trials/daily-returns-of.js';

/** Place of the daily returns of a ledger's trials: beside it. */
export function returnsFileOf(ledger: string): string {
  return `${ledger.replace(/\.jsonl$/, '')}.returns`;
}

/** A head has "ETR1", the number of returns, the end of the first day, the trial's id, and a check over everything except itself. */
const MAGIC = 0x31525445;
const ID_BYTES = 32;
const CHECK_BYTES = 8;
const HEAD_BYTES = 16 + ID_BYTES + CHECK_BYTES;

/** Formats the daily returns of one trial for the file: a head of 56 bytes and one float64 per day, all little-endian. */
export function formatReturns(id: string, { from, values }: DailyReturns): Buffer {
  const bytes = Buffer.allocUnsafe(HEAD_BYTES + 8 * values.length);
  bytes.writeUInt32LE(MAGIC, 0);
  bytes.writeUInt32LE(values.length, 4);
  bytes.writeDoubleLE(from, 8);
  bytes.write(id, 16, 'hex');
  for (let index = 0; index < values.length; index += 1)
    bytes.writeDoubleLE(values[index] as number, HEAD_BYTES + 8 * index);
  checkOf(bytes).copy(bytes, 16 + ID_BYTES);
  return bytes;
}

/** Hashed in one piece: two updates of a hash cost twice as much. */
function checkOf(bytes: Buffer): Buffer {
  const checked = Buffer.allocUnsafe(bytes.length - CHECK_BYTES);
  bytes.copy(checked, 0, 0, 16 + ID_BYTES);
  bytes.copy(checked, 16 + ID_BYTES, HEAD_BYTES);
  return hash('sha256', checked, 'buffer').subarray(0, CHECK_BYTES);
}

/** Reads the daily returns of trials at the places that lines of the ledger name. */
export class ReturnsReader {
  readonly #handle: FileHandle;

  private constructor(handle: FileHandle) {
    this.#handle = handle;
  }

  /** Opens the file beside a ledger. @throws {DataError} `E_DATA_READ` when it does not exist, or cannot be read. */
  static async open(ledger: string): Promise<ReturnsReader> {
    const file = returnsFileOf(ledger);
    try {
      return new ReturnsReader(await open(file, 'r'));
    } catch (error: unknown) {
      throw new DataError('E_DATA_READ', `cannot read ${file}: ${reasonOf(error)}`, {
        cause: error,
      });
    }
  }

  /** Returns of the trial whose line names this place; undefined if they are missing or damaged. */
  async read(id: string, place: number): Promise<DailyReturns | undefined> {
    const head = await this.#bytes(place, HEAD_BYTES);
    if (head?.readUInt32LE(0) !== MAGIC || head.toString('hex', 16, 16 + ID_BYTES) !== id)
      return undefined;
    const count = head.readUInt32LE(4);
    const { size } = await this.#handle.stat();
    if (place + HEAD_BYTES + 8 * count > size) return undefined;
    const bytes = await this.#bytes(place, HEAD_BYTES + 8 * count);
    if (!bytes?.subarray(16 + ID_BYTES, HEAD_BYTES).equals(checkOf(bytes))) return undefined;
    const values = new Float64Array(count);
    for (let index = 0; index < count; index += 1)
      values[index] = bytes.readDoubleLE(HEAD_BYTES + 8 * index);
    return { from: bytes.readDoubleLE(8), values };
  }

  async close(): Promise<void> {
    await this.#handle.close();
  }

  async #bytes(place: number, length: number): Promise<Buffer | undefined> {
    const { buffer, bytesRead } = await this.#handle.read(Buffer.alloc(length), 0, length, place);
    return bytesRead === length ? buffer : undefined;
  }
}
