import { connect } from 'node:net';
import { SECOND_MS, TransportError } from '../../domain/index.js';
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
/** Nobody is there: no socket, or one that a killed process left behind. */
const NOBODY = new Set(['ENOENT', 'ECONNREFUSED', 'ENOTDIR']);

/** How to reach a bot. */
export interface AskOptions {
  readonly path: string;
  /** @defaultValue 5000 */
  readonly patienceMs?: number;
}

/**
 * Says something to the bot at a control socket, and returns its answer; undefined when no bot runs there.
 *
 * @throws {TransportError} `E_BOT_SILENT` when it does not answer in time, `E_BOT_ANSWER` when its answer is none, `E_CONTROL_SOCKET` when
 * the socket is not for this user.
 */
export async function askBot(
  request: ControlRequest,
  { path, patienceMs = PATIENCE_MS }: AskOptions,
): Promise<ControlAnswer | undefined> {
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

function silent(path: string, patienceMs: number): TransportError {
  const time = `${String(patienceMs / SECOND_MS)} s`;
  return new TransportError(
    'E_BOT_SILENT',
    `${path}: no answer within ${time}; the process is there, and stuck or very busy`,
  );
}

function noAnswer(path: string): TransportError {
  return new TransportError(
    'E_BOT_ANSWER',
    `${path}: the answer is not one of this version; is the bot of another version?`,
  );
}

function closed(path: string, cause: NodeJS.ErrnoException): TransportError {
  return new TransportError(
    'E_CONTROL_SOCKET',
    `${path}: the control socket cannot be opened by this user (${cause.code ?? cause.message})`,
    { cause },
  );
}
