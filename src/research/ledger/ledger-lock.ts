import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { DataError } from '../../domain/index.js';

/** A held lock of a ledger: a ledger has only one writer. */
export interface LedgerLock {
  release(): Promise<void>;
}

interface Holder {
  readonly pid: number;
  readonly host: string;
}

/**
 * Takes the lock of a ledger: a file beside it that names the process. If the process of an existing lock is gone, the lock is taken over, but only on the
 * machine of that process.
 *
 * @throws {DataError} `E_TRIALS_LOCKED` when another process holds it; `E_DATA_WRITE` when the place cannot be written.
 */
export async function takeLedgerLock(ledger: string): Promise<LedgerLock> {
  const file = `${ledger}.lock`;
  const own = JSON.stringify({ pid: process.pid, host: hostname() } satisfies Holder);
  if (!(await create(file, own))) {
    await removeStale(file, ledger);
    if (!(await create(file, own))) throw locked(file, ledger, 'another process');
  }
  return { release: () => rm(file, { force: true }) };
}

/** Writes the lock unless it exists. Returns whether it was written. */
async function create(file: string, text: string): Promise<boolean> {
  try {
    await writeFile(file, text, { flag: 'wx' });
    return true;
  } catch (error: unknown) {
    if (hasCode(error, 'EEXIST')) return false;
    const reason = error instanceof Error ? error.message : String(error);
    throw new DataError('E_DATA_WRITE', `cannot write ${file}: ${reason}`, { cause: error });
  }
}

async function removeStale(file: string, ledger: string): Promise<void> {
  const text = await readFile(file, 'utf8').catch(() => '');
  const holder = parseHolder(text);
  if (holder === undefined || holder.host !== hostname() || isAlive(holder.pid))
    throw locked(file, ledger, holder === undefined ? 'another process' : describe(holder));
  // Two processes may find the same stale lock. If the other one has replaced it by now, the new lock is put back.
  const aside = `${file}.${String(process.pid)}`;
  await rename(file, aside).catch(() => undefined);
  if ((await readFile(aside, 'utf8').catch(() => text)) !== text) await rename(aside, file);
  else await rm(aside, { force: true });
}

function parseHolder(text: string): Holder | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null) return undefined;
    const { pid, host } = value as Partial<Holder>;
    return typeof pid === 'number' && typeof host === 'string' ? { pid, host } : undefined;
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error: unknown) {
    // A process of another user cannot be signaled, but it exists.
    return !hasCode(error, 'ESRCH');
  }
}

function describe({ pid, host }: Holder): string {
  return `process ${String(pid)} on ${host}`;
}

function locked(file: string, ledger: string, holder: string): DataError {
  return new DataError(
    'E_TRIALS_LOCKED',
    `${ledger}: locked by ${holder}; wait for that sweep, name another --ledger, or delete ${file} if nothing runs`,
  );
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
