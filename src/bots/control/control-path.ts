import { createHash } from 'node:crypto';
import { lstatSync } from 'node:fs';
import path from 'node:path';
import { makeFolder } from '../../archive/index.js';
import { TransportError } from '../../domain/index.js';

/** Longest path of a Unix domain socket that every system takes, in bytes. */
const MAX_SOCKET_PATH = 103;

/** Where sockets go whose journal has too long a path: a folder per user. */
export interface SocketPlace {
  /** See {@link runtimeFolder}. */
  readonly runtimeFolder: string;
  readonly userId: number;
}

/**
 * Names the control socket of the bot that writes a journal: `JOURNAL.sock`, or where that is longer than the system takes, a name made of
 * its hash in the user's own folder. Server and clients find the same.
 */
export function controlPath(journal: string, place: SocketPlace): string {
  const beside = `${journal}.sock`;
  if (Buffer.byteLength(beside) <= MAX_SOCKET_PATH) return beside;
  const name = createHash('sha256').update(journal).digest('hex').slice(0, 16);
  return path.join(sharedFolder(place), `${name}.sock`);
}

/**
 * Makes sure that nobody else can have put a socket where this one goes. Beside the journal that is the journal's own folder.
 *
 * @throws {TransportError} `E_CONTROL_SOCKET` when the folder is another user's, or open to others.
 */
export async function preparePlace(socket: string, place: SocketPlace): Promise<void> {
  const folder = sharedFolder(place);
  if (path.dirname(socket) !== folder) return;
  await makeFolder(folder, 0o700);
  if (isOwnFolder(folder, place.userId)) return;
  throw new TransportError(
    'E_CONTROL_SOCKET',
    `${folder}: others than this user can enter the folder of the control socket; remove it, or choose a shorter path for live.journal`,
  );
}

/** The folder of a user for what its processes share. */
export function sharedFolder({ runtimeFolder: folder, userId }: SocketPlace): string {
  return path.join(folder, `evenkeel-${String(userId)}`);
}

export interface RuntimeFolders {
  /** What the environment names (`XDG_RUNTIME_DIR`). */
  readonly named: string | undefined;
  readonly userId: number;
  /** The system's folder for temporary files. */
  readonly temporary: string;
}

/**
 * Where what runs of a user is kept: the folder that the environment names, else the one that systems give each user who is there, as long as it
 * is the user's own; else the system's folder for temporary files. A process that is started without that environment finds the same.
 */
export function runtimeFolder({ named, userId, temporary }: RuntimeFolders): string {
  const usual = `/run/user/${String(userId)}`;
  const own = [named, usual].find(
    (folder) => folder !== undefined && path.isAbsolute(folder) && isOwnFolder(folder, userId),
  );
  return own ?? temporary;
}

/** Whether nobody else can have put anything there. */
export function isOwnFolder(folder: string, userId: number): boolean {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  return found?.isDirectory() === true && found.uid === userId && (found.mode & 0o077) === 0;
}
