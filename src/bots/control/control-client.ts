import { lstat } from 'node:fs/promises';
import { connect } from 'node:net';
import { dirname } from 'node:path';
import { reasonOf, SECOND_MS, TransportError } from '../../domain/index.js';
import {
  formatRequest,
  MAX_ANSWER_LENGTH,
  parseControlAnswer,
  type ControlAnswer,
  type ControlRequest,
} from './control-protocol.js';
import { LineReader } from './line-reader.js';

/** A bot answers within milliseconds; one that takes this long is stuck. */
const PATIENCE_MS = 5 * SECOND_MS;
/** No bot is there: no socket, or one that a killed process left behind. */
const NOBODY = new Set(['ENOENT', 'ECONNREFUSED', 'ENOTDIR']);
/** A process was there and closed the connection. */
const HUNG_UP = new Set(['EPIPE', 'ECONNRESET']);
const OTHERS_WRITE = 0o002;
/** In such a folder only the owner of an entry can remove it. */
const STICKY = 0o1000;

/** How to reach a bot. */
interface AskOptions {
  readonly path: string;
  /** @defaultValue 5000 */
  readonly patienceMs?: number;
  /** User who must own the socket. @defaultValue the user of this process; not checked if the system knows no users */
  readonly userId?: number | undefined;
}

/**
 * Sends a request to the bot at a control socket, and returns its answer; undefined if no bot runs there.
 *
 * @throws {TransportError} `E_BOT_SILENT` if it does not answer in time, `E_BOT_ANSWER` if its answer is invalid, `E_CONTROL_SOCKET` if the socket or
 * its folder belongs to another user.
 */
export async function askBot(
  request: ControlRequest,
  { path, patienceMs = PATIENCE_MS, userId = process.getuid?.() }: AskOptions,
): Promise<ControlAnswer | undefined> {
  if (userId !== undefined) await refuseImpostors(path, userId);
  const socket = connect(path);
  const lines = new LineReader(MAX_ANSWER_LENGTH);
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<ControlAnswer | undefined>((resolve, reject) => {
      const refuse = (): void => reject(noAnswer(path));
      timer = setTimeout(() => reject(silent(path, patienceMs)), patienceMs);
      socket.setEncoding('utf8');
      socket.once('connect', () => socket.write(formatRequest(request)));
      socket.once('error', (error: NodeJS.ErrnoException) => {
        if (NOBODY.has(error.code ?? '')) resolve(undefined);
        else if (HUNG_UP.has(error.code ?? '')) reject(hungUp(path, error));
        else reject(closed(path, error));
      });
      socket.on('data', (piece: string) => {
        const complete = lines.push(piece);
        if (complete?.length === 0) return;
        const answer = parseControlAnswer(complete?.[0] ?? '');
        if (answer === undefined) refuse();
        else resolve(answer);
      });
      socket.once('end', refuse);
    });
  } finally {
    clearTimeout(timer);
    socket.destroy();
  }
}

/** Refuses sockets of other users: a false bot could claim that it has halted. */
async function refuseImpostors(path: string, userId: number): Promise<void> {
  const socket = await lstat(path).catch(() => undefined);
  if (socket === undefined) return;
  const folder = await lstat(dirname(path));
  const isOpen = (folder.mode & OTHERS_WRITE) !== 0 && (folder.mode & STICKY) === 0;
  const wrong =
    socket.uid !== userId
      ? `the control socket belongs to user ${String(socket.uid)}`
      : folder.uid !== userId && folder.uid !== 0
        ? `its folder belongs to user ${String(folder.uid)}`
        : isOpen
          ? 'every user can write to its folder'
          : undefined;
  if (wrong === undefined) return;
  throw new TransportError(
    'E_CONTROL_SOCKET',
    `${path}: ${wrong}, so another program could answer in place of the bot; nothing was sent (this is user ${String(userId)})`,
  );
}

function hungUp(path: string, cause: Error): TransportError {
  return new TransportError(
    'E_BOT_ANSWER',
    `${path}: the bot closed the connection before it answered; try again`,
    { cause },
  );
}

function silent(path: string, patienceMs: number): TransportError {
  const time = `${String(patienceMs / SECOND_MS)} s`;
  return new TransportError(
    'E_BOT_SILENT',
    `${path}: no answer within ${time}; the process runs, but is stuck or very busy`,
  );
}

function noAnswer(path: string): TransportError {
  return new TransportError(
    'E_BOT_ANSWER',
    `${path}: the answer does not fit this version of evenkeel; does the bot run another version?`,
  );
}

function closed(path: string, cause: NodeJS.ErrnoException): TransportError {
  return new TransportError(
    'E_CONTROL_SOCKET',
    `${path}: the control socket cannot be opened by this user (${reasonOf(cause)})`,
    { cause },
  );
}
