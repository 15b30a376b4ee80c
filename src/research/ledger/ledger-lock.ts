import { open, readFile, rename, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { fileError } from '../../archive/index.js';
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
 * Takes the lock of a ledger: a file beside it that names the process. What a process that is gone left behind is taken over, on the
 * machine on which it ran.
 *
 * @throws {DataError} `E_TRIALS_LOCKED` when another process holds it; `E_DATA_WRITE` when the place cannot be written.
 */
export async function takeLedgerLock(ledger: string): Promise<LedgerLock> {
  const file = `${ledger}.lock`;
  const own = JSON.stringify({ pid: process.pid, host: hostname() } satisfies Holder);
  const owner = await take(file, own);
  if (owner !== undefined)
    throw locked(file, ledger, owner === 'unknown' ? 'another process' : describe(owner));
  return { release: () => rm(file, { force: true }) };
}

/**
 * Takes a lock. Returns who has it instead, if anybody.
 *
 * Of processes that find the same stale lock one may replace it: the one that holds the lock on its replacement, a file that is named by the
 * process that is gone. That file becomes the lock in one step, so that there is always one. Where its holder is gone, too, it is itself
 * a stale lock.
 */
async function take(file: string, own: string): Promise<Holder | 'unknown' | undefined> {
  if (await create(file, own)) return undefined;
  const holder = await holderOf(file);
  if (holder === 'unknown' || !isGone(holder)) return holder;
  const claim = `${file}.${String(holder.pid)}`;
  const other = await take(claim, own);
  if (other !== undefined) return other;
  // While it is claimed nobody else replaces it; before, somebody may have.
  const now = await holderOf(file);
  if (now !== 'unknown' && now.pid === holder.pid && isGone(now)) {
    await rename(claim, file);
    return undefined;
  }
  await rm(claim, { force: true });
  return now;
}

/** Writes the lock unless it exists. Returns whether it was written. */
async function create(file: string, text: string): Promise<boolean> {
  const handle = await open(file, 'wx').catch((error: unknown) => {
    if (hasCode(error, 'EEXIST')) return undefined;
    throw fileError('E_DATA_WRITE', `write ${file}`, error);
  });
  if (handle === undefined) return false;
  try {
    await handle.writeFile(text);
    return true;
  } catch (error: unknown) {
    // A lock that names nobody would lock the ledger for ever.
    await rm(file, { force: true });
    throw fileError('E_DATA_WRITE', `write ${file}`, error);
  } finally {
    await handle.close();
  }
}

async function holderOf(file: string): Promise<Holder | 'unknown'> {
  return parseHolder(await readFile(file, 'utf8').catch(() => '')) ?? 'unknown';
}

/** Whether it ran on this machine, and does no more. */
function isGone({ pid, host }: Holder): boolean {
  return host === hostname() && !isAlive(pid);
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
    `${ledger}: locked by ${holder}; wait for that sweep, name another --ledger, or delete ${file} if no sweep is running`,
  );
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
