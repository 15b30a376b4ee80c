import { lstat, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { SECOND_MS, TradingError, TransportError } from '../../domain/index.js';
import { takeProcessLock, type ProcessLock } from '../../journal/index.js';

/** From one look whether a socket is answered, or free, to the next. */
const LOOK_MS = 50;
/** How long who has a socket may take from its lock to its first answer, or from its last answer to the end of its lock. */
const PATIENCE_MS = 5 * SECOND_MS;

/**
 * Takes a control socket for this process, and removes what a killed one has left there. Whether a socket is stale is only true as long as nobody else
 * replaces it: two that begin at the same instant would each remove what the other has just made. So it is held by a lock beside it until it is released.
 *
 * @throws {TransportError} `E_CONTROL_SOCKET` when another process has it, something else has its name, or its folder cannot be written.
 */
export async function takeSocket(path: string): Promise<Pick<ProcessLock, 'release'>> {
  for (let waited = 0; ; waited += LOOK_MS) {
    const lock = await lockOf(path);
    if (lock !== undefined) return cleared(path, lock);
    if (await isAnswered(path)) throw isTaken(path);
    if (waited >= PATIENCE_MS)
      throw refusal(path, 'another process has taken it, and does not answer');
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

async function lockOf(path: string): Promise<ProcessLock | undefined> {
  const file = `${path}-lock`;
  try {
    return await takeProcessLock(file);
  } catch (cause: unknown) {
    if (!(cause instanceof TradingError)) throw cause;
    throw refusal(path, `its lock ${file} cannot be taken (${cause.code})`, cause);
  }
}

async function cleared(path: string, lock: ProcessLock): Promise<ProcessLock> {
  try {
    const found = await lstat(path).catch(() => undefined);
    if (found?.isSocket() === false)
      throw refusal(path, 'a file that is no socket is in its place');
    // One whose lock was removed still has its socket.
    if (await isAnswered(path)) throw isTaken(path);
    await rm(path, { force: true });
    return lock;
  } catch (error: unknown) {
    lock.release();
    throw error;
  }
}

/** Waits until nobody answers at a socket any more, for so long at most: a process that ends leaves its journal before its socket. Returns whether it is so. */
export async function untilUnanswered(path: string, patienceMs: number): Promise<boolean> {
  for (let waited = 0; waited < patienceMs; waited += LOOK_MS) {
    if (!(await isAnswered(path))) return true;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  return false;
}

function isAnswered(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    const settle = (isThere: boolean): void => {
      socket.destroy();
      resolve(isThere);
    };
    socket.once('connect', () => settle(true));
    // A listener whose queue is full is there; only a refusal says that nobody is.
    socket.once('error', (error: NodeJS.ErrnoException) => settle(error.code === 'EAGAIN'));
  });
}

function isTaken(path: string): TransportError {
  return refusal(path, 'another bot is running with this journal');
}

/** Why a control socket cannot be had. */
export function refusal(path: string, why: string, cause?: Error): TransportError {
  return new TransportError('E_CONTROL_SOCKET', `${path}: ${why}`, { cause });
}
