import { createHash } from 'node:crypto';
import { lstatSync } from 'node:fs';
import path from 'node:path';
import { makeFolder } from '../../archive/index.js';
import { TransportError } from '../../domain/index.js';

/** Longest path of a Unix domain socket that every system accepts, in bytes. */
const MAX_SOCKET_PATH = 103;

/** Place for sockets whose journal has too long a path: one folder for each user. */
export interface SocketPlace {
  /** See {@link runtimeFolder}. */
  readonly runtimeFolder: string;
  readonly userId: number;
}

/**
 * Returns the path of the control socket of the bot that writes a journal: `JOURNAL.sock` or, if the system does not accept that length, a name made
 * of its hash in the user's own folder. Server and clients compute the same path.
 */
export function controlPath(journal: string, place: SocketPlace): string {
  const beside = `${journal}.sock`;
  if (Buffer.byteLength(beside) <= MAX_SOCKET_PATH) return beside;
  const name = createHash('sha256').update(journal).digest('hex').slice(0, 16);
  return path.join(sharedFolder(place), `${name}.sock`);
}

/**
 * Makes sure that no other user can have put a socket at this path. Beside the journal, the journal's own folder decides that.
 *
 * @throws {TransportError} `E_CONTROL_SOCKET` if the folder belongs to another user, or is open to others.
 */
export async function preparePlace(socket: string, place: SocketPlace): Promise<void> {
  const folder = sharedFolder(place);
  if (path.dirname(socket) !== folder) return;
  await makeFolder(folder, 0o700);
  if (isOwnFolder(folder, place.userId)) return;
  throw new TransportError(
    'E_CONTROL_SOCKET',
    `${folder}: other users can enter the folder of the control socket; remove the folder, or choose a shorter path for live.journal`,
  );
}

/** The folder for data that the processes of a user share. */
export function sharedFolder({ runtimeFolder: folder, userId }: SocketPlace): string {
  return path.join(folder, `evenkeel-${String(userId)}`);
}

interface RuntimeFolders {
  /** The folder that the environment names (`XDG_RUNTIME_DIR`). */
  readonly named: string | undefined;
  readonly userId: number;
  /** The system's folder for temporary files. */
  readonly temporary: string;
}

/**
 * Returns the folder for runtime data of a user: the one that the environment names, otherwise the one that systems create for each user who is
 * logged in, if it is the user's own; otherwise the system's folder for temporary files. So a process without that environment finds the same folder.
 */
export function runtimeFolder({ named, userId, temporary }: RuntimeFolders): string {
  const usual = `/run/user/${String(userId)}`;
  const own = [named, usual].find(
    (folder) => folder !== undefined && path.isAbsolute(folder) && isOwnFolder(folder, userId),
  );
  return own ?? temporary;
}

/** Whether only this user can have written to the folder. */
export function isOwnFolder(folder: string, userId: number): boolean {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  return found?.isDirectory() === true && found.uid === userId && (found.mode & 0o077) === 0;
}
