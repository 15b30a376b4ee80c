import { rm } from 'node:fs/promises';
import { z } from 'zod';
import { writeFileAtomically } from '../files/atomic-file.js';
import { readSmallText } from '../files/data-file.js';
import { STORED_VERSION, storedHash } from '../files/stored-json.js';

const ledgerSchema = z.object({
  version: STORED_VERSION,
  how: z.string(),
  columnsSha256: storedHash,
  files: z.array(storedHash),
});

interface LedgerOptions {
  /** Metadata of the series that is imported into. */
  readonly metadata: string;
  /** How the files are read. A file that was imported with other options is imported again. */
  readonly how: string;
}

/**
 * Records which of several files an import has stored. It lies beside the series until all files are stored, so that an interrupted import
 * can go on. It counts only as long as the series is as that import left it; an unusable ledger counts as empty.
 */
export class ImportLedger {
  readonly #path: string;
  readonly #how: string;
  readonly #files: Set<string>;

  private constructor(path: string, how: string, files: readonly string[]) {
    this.#path = path;
    this.#how = how;
    this.#files = new Set(files);
  }

  static async open({ metadata, how }: LedgerOptions): Promise<ImportLedger> {
    const path = metadata.replace(/\.json$/, '.import.json');
    const [kept, stored] = await Promise.all([readJson(path), readJson(metadata)]);
    const ledger = ledgerSchema.safeParse(kept);
    const series = z.object({ columnsSha256: storedHash }).safeParse(stored);
    const isContinued =
      ledger.success &&
      series.success &&
      ledger.data.how === how &&
      ledger.data.columnsSha256 === series.data.columnsSha256;
    return new ImportLedger(path, how, isContinued ? ledger.data.files : []);
  }

  /** Whether a file with this SHA-256 is stored. */
  has(sha256: string): boolean {
    return this.#files.has(sha256);
  }

  /** Records files as stored. `columnsSha256`: the present hash of the series with them. */
  async record(files: readonly string[], columnsSha256: string): Promise<void> {
    for (const file of files) this.#files.add(file);
    const ledger = { version: 1, how: this.#how, columnsSha256, files: [...this.#files] };
    await writeFileAtomically(this.#path, [
      new TextEncoder().encode(`${JSON.stringify(ledger)}\n`),
    ]);
  }

  /** Removes the ledger after all files are stored: the next import reads every file. */
  async remove(): Promise<void> {
    await rm(this.#path, { force: true });
  }
}

async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readSmallText(path)) as unknown;
  } catch {
    return undefined;
  }
}
