import { lstat, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { SECOND_MS, TradingError, TransportError } from '../../domain/index.js';
import { takeProcessLock, type ProcessLock } from '../../journal/index.js';

/** Time between two checks whether a socket is answered, or free. */
const LOOK_MS = 50;
/** Time that the owner of a socket may take from its lock to its first answer, or from its last answer to the release of its lock. */
const PATIENCE_MS = 5 * SECOND_MS;

/**
 * Takes a control socket for this process, and removes one that a killed process left. A lock beside the socket protects the check for a stale
 * socket: without it, two processes that begin at the same time would each remove the socket that the other has just made. The lock is held until
 * released.
 *
 * @throws {TransportError} `E_CONTROL_SOCKET` if another process has it, another file has its name, or its folder cannot be written.
 */
export async function takeSocket(path: string): Promise<Pick<ProcessLock, 'release'>> {
  for (let waited = 0; ; waited += LOOK_MS) {
    const lock = await lockOf(path);
    if (lock !== undefined) return cleared(path, lock);
    if (await isAnswered(path)) throw isTaken(path);
    if (waited >= PATIENCE_MS)
      throw socketRefusal(path, 'another process holds it and does not answer');
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

async function lockOf(path: string): Promise<ProcessLock | undefined> {
  const file = `${path}-lock`;
  try {
    return await takeProcessLock(file);
  } catch (cause: unknown) {
    if (!(cause instanceof TradingError)) throw cause;
    throw socketRefusal(path, `its lock ${file} cannot be taken (${cause.code})`, cause);
  }
}

async function cleared(path: string, lock: ProcessLock): Promise<ProcessLock> {
  try {
    const found = await lstat(path).catch(() => undefined);
    if (found?.isSocket() === false)
      throw socketRefusal(path, 'a file with this name exists and is not a socket');
    // A process whose lock file was removed still has its socket.
    if (await isAnswered(path)) throw isTaken(path);
    await rm(path, { force: true });
    return lock;
  } catch (error: unknown) {
    lock.release();
    throw error;
  }
}

/**
 * Waits until no process answers at a socket, for at most `patienceMs`: an ending process closes its journal before its socket. Returns whether no
 * process answers.
 */
export async function untilUnanswered(path: string, patienceMs: number): Promise<boolean> {
  for (let waited = 0; waited < patienceMs; waited += LOOK_MS) {
    if (!(await isAnswered(path))) return true;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  return false;
}

/** Whether a process answers at a socket. */
export function isAnswered(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    const settle = (isThere: boolean): void => {
      socket.destroy();
      resolve(isThere);
    };
    socket.once('connect', () => settle(true));
    // A listener with a full queue exists; only a refusal means that there is none.
    socket.once('error', (error: NodeJS.ErrnoException) => settle(error.code === 'EAGAIN'));
  });
}

function isTaken(path: string): TransportError {
  return socketRefusal(path, 'another bot is running with this journal');
}

/** The error for a control socket that cannot be taken. */
export function socketRefusal(path: string, why: string, cause?: Error): TransportError {
  return new TransportError('E_CONTROL_SOCKET', `${path}: ${why}`, { cause });
}
