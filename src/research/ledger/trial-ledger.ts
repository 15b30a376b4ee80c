import { open, type FileHandle } from 'node:fs/promises';
import { fileError } from '../../archive/index.js';
import type { DataError } from '../../domain/index.js';
import { takeLedgerLock, type LedgerLock } from './ledger-lock.js';
import type { DailyReturns } from '../trials/daily-returns-of.js';
import { readLedger, type LedgerPlace } from './read-ledger.js';
import { formatReturns, returnsFileOf } from './returns-file.js';
import { WaitingLines } from './waiting-lines.js';
import { formatLine, type LedgerLine, type TrialRecord } from './trial-record.js';

interface OpenLedgerOptions {
  readonly file: string;
  /** Called with every existing whole line, in order. @defaultValue nothing is looked at */
  readonly onLine?: ((line: LedgerLine) => void) | undefined;
  /** Place up to which the ledger is known: earlier lines are not read. @defaultValue its start */
  readonly known?: LedgerPlace | undefined;
}

/**
 * Every combination that was ever tried on an archive, one line of JSON each, in the order in which they ended. Lines are only added.
 *
 * Added lines are on the disk when {@link flush} resolves. Lines that come while the disk is busy share a write.
 */
export class TrialLedger {
  /** Path with which it was opened. */
  readonly file: string;
  readonly #handle: FileHandle;
  readonly #lock: LedgerLock;
  readonly #returns: FileHandle;
  /** Byte at which the next trial's daily returns begin. */
  #returnsEnd: number;
  readonly #waiting = new WaitingLines();
  #waitingReturns: Buffer[] = [];
  #writing: Promise<void> | undefined;
  #failure: DataError | undefined;
  /** Bytes of an unfinished line that a crash had left, and that were cut off. */
  readonly torn: number;

  private constructor(
    place: {
      readonly file: string;
      readonly handle: FileHandle;
      readonly returns: FileHandle;
      readonly returnsEnd: number;
      readonly lock: LedgerLock;
    },
    torn: number,
  ) {
    this.file = place.file;
    this.#handle = place.handle;
    this.#returns = place.returns;
    this.#returnsEnd = place.returnsEnd;
    this.#lock = place.lock;
    this.torn = torn;
  }

  /**
   * Opens or starts a ledger as its only writer. Cuts off bytes that a crash left after the last whole line.
   *
   * @throws {DataError} `E_TRIALS_LOCKED`, `E_TRIALS_DAMAGED`, `E_TRIALS_FOREIGN`; `E_DATA_WRITE` when the place cannot be written.
   */
  static async open({ file, onLine, known }: OpenLedgerOptions): Promise<TrialLedger> {
    const lock = await takeLedgerLock(file);
    let handle: FileHandle | undefined;
    let returns: FileHandle | undefined;
    try {
      // Opened to append: two writers that share a disk by mistake would add lines, but never overwrite lines.
      handle = await open(file, 'a+').catch((error: unknown) => {
        throw fileError('E_DATA_WRITE', `write ${file}`, error);
      });
      const { bytes, torn } = await readLedger(file, handle, onLine ?? (() => undefined), known);
      if (torn > 0) await handle.truncate(bytes);
      returns = await open(returnsFileOf(file), 'a').catch((error: unknown) => {
        throw fileError('E_DATA_WRITE', `write ${returnsFileOf(file)}`, error);
      });
      // No line names the bytes that a crash left at its end.
      const { size } = await returns.stat();
      return new TrialLedger({ file, handle, returns, returnsEnd: size, lock }, torn);
    } catch (error: unknown) {
      await handle?.close();
      await returns?.close();
      await lock.release();
      throw error;
    }
  }

  /**
   * Adds a trial, and its daily returns if they are to be kept.
   *
   * @throws {DataError} `E_DATA_WRITE` when an earlier one could not be written.
   */
  append(record: TrialRecord, returns?: DailyReturns): void {
    if (this.#failure !== undefined) throw this.#failure;
    this.#waiting.add(formatLine(record, this.#keep(record, returns)));
    this.#writing ??= this.#write();
  }

  /** Resolves when all added lines are on the disk. @throws {DataError} `E_DATA_WRITE` when it is full or cannot be written. */
  async flush(): Promise<void> {
    await this.#writing;
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Writes everything to the disk and releases the ledger. @throws {DataError} as {@link flush}. */
  async close(): Promise<void> {
    try {
      await this.flush();
    } finally {
      await this.#handle.close();
      await this.#returns.close();
      await this.#lock.release();
    }
  }

  /** Queues daily returns. Returns the byte at which they will begin. */
  #keep({ id }: TrialRecord, returns: DailyReturns | undefined): number | undefined {
    if (returns === undefined) return undefined;
    const bytes = formatReturns(id, returns);
    const place = this.#returnsEnd;
    this.#waitingReturns.push(bytes);
    this.#returnsEnd += bytes.length;
    return place;
  }

  async #write(): Promise<void> {
    try {
      while (!this.#waiting.isEmpty) {
        const lines = this.#waiting.take();
        await this.#writeReturns();
        await this.#handle.appendFile(lines);
        await this.#handle.datasync();
      }
    } catch (error: unknown) {
      this.#failure = fileError('E_DATA_WRITE', `write ${this.file}`, error);
    } finally {
      this.#writing = undefined;
    }
  }

  /** Returns are written before the lines that name them, so that no line names missing returns. */
  async #writeReturns(): Promise<void> {
    if (this.#waitingReturns.length === 0) return;
    await this.#returns.appendFile(Buffer.concat(this.#waitingReturns.splice(0)));
    await this.#returns.datasync();
  }
}
