import { createServer, type Server, type Socket } from 'node:net';
import {
  assertNever,
  reasonOf,
  SECOND_MS,
  TradingError,
  TransportError,
  UsageError,
} from '../../domain/index.js';
import type { BotControl } from '../../live/index.js';
import {
  formatAnswer,
  HAND_BACK,
  MAX_REQUEST_LENGTH,
  parseControlRequest,
  type ControlAnswer,
  type ControlRequest,
} from './control-protocol.js';
import { socketRefusal, takeSocket } from './control-socket.js';
import { LineReader } from './line-reader.js';

/** Largest number of connections. Beyond it, the connection that was silent for longest is closed. */
const MAX_CONNECTIONS = 128;
/** A connection without a request for this time is closed. */
const IDLE_MS = 10 * SECOND_MS;
/** Largest number of waiting requests of one connection. Beyond it, the connection is closed. */
const MAX_WAITING = 16;
/** Umask that leaves read and write to the user alone. */
const PRIVATE_MASK = 0o177;

/** A bot's control socket. */
export interface ControlServer {
  readonly path: string;
  /** Ends all connections and removes the socket. */
  close(): Promise<void>;
}

/**
 * Serves a bot's control at a Unix domain socket that only this user can open. A socket left behind by a killed process is replaced; a socket that
 * answers is not.
 *
 * @throws {TransportError} `E_CONTROL_SOCKET` if another process answers there, another file has the name, or the socket cannot be made.
 */
export async function serveControl(path: string, bot: BotControl): Promise<ControlServer> {
  const lock = await takeSocket(path);
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    makeRoom(sockets);
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.setTimeout(IDLE_MS, () => socket.destroy());
    converse(socket, bot, () => {
      // A connection with a new request is the last to be closed.
      sockets.delete(socket);
      sockets.add(socket);
    });
  });
  try {
    await listen(server, path);
  } catch (error: unknown) {
    lock.release();
    throw error;
  }
  return {
    path,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
      lock.release();
    },
  };
}

/** `listen` binds the socket within its call, so the mask affects nothing else. */
async function listen(server: Server, path: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      reject(socketRefusal(path, `the control socket cannot be made (${reasonOf(cause)})`, cause));
    });
    const before = process.umask(PRIVATE_MASK);
    try {
      server.listen(path, () => resolve());
    } finally {
      process.umask(before);
    }
  });
}

/** The set is ordered by the time of the last request: the first connection was silent for longest. */
function makeRoom(sockets: Set<Socket>): void {
  for (const silent of sockets) {
    if (sockets.size < MAX_CONNECTIONS) return;
    sockets.delete(silent);
    silent.destroy();
  }
}

function converse(socket: Socket, bot: BotControl, onSpoken: () => void): void {
  const lines = new LineReader(MAX_REQUEST_LENGTH);
  let waiting: readonly string[] = [];
  // One piece may hold thousands of requests, and answers are far longer. So the next request is answered only when the last answer was read.
  const answerWaiting = (): void => {
    for (const [index, line] of waiting.entries()) {
      if (socket.write(formatAnswer(answer(line, bot)))) continue;
      waiting = waiting.slice(index + 1);
      socket.pause();
      return;
    }
    waiting = [];
    socket.resume();
  };
  socket.setEncoding('utf8');
  // A connection that breaks must not break the bot.
  socket.on('error', () => socket.destroy());
  socket.on('drain', answerWaiting);
  socket.on('data', (piece: string) => {
    const requests = lines.push(piece);
    if (requests === undefined) {
      socket.end(formatAnswer(malformed('a longer line')));
      return;
    }
    if (requests.length > 0) onSpoken();
    if (waiting.length + requests.length > MAX_WAITING) {
      socket.end(formatAnswer(malformed(`${String(requests.length)} lines at once`)));
      socket.pause();
      return;
    }
    waiting = [...waiting, ...requests];
    answerWaiting();
  });
}

function answer(line: string, bot: BotControl): ControlAnswer {
  const request = parseControlRequest(line);
  if (request === undefined) return malformed(JSON.stringify(line.slice(0, 80)));
  try {
    carryOut(request, bot);
    return { ok: true, status: bot.status() };
  } catch (error: unknown) {
    if (error instanceof TradingError) {
      return { ok: false, code: error.code, message: error.message };
    }
    return { ok: false, code: 'E_INTERNAL', message: String(error) };
  }
}

function carryOut({ command, text, ids }: ControlRequest, bot: BotControl): void {
  switch (command) {
    case 'status':
      break;
    case 'pause':
      bot.pause();
      break;
    case 'resume':
      bot.resume();
      break;
    case 'halt':
      bot.halt(text ?? 'halted by the operator');
      break;
    case 'flatten':
      bot.flatten();
      break;
    case 'restart-strategy':
      bot.restartStrategy();
      break;
    case 'reload':
      if (bot.reload === undefined)
        throw new UsageError('E_RELOAD', `${bot.name}: this bot cannot be reloaded`);
      bot.reload();
      break;
    case 'clear-triggers':
      bot.clearTriggers(ids ?? []);
      break;
    case HAND_BACK:
      if (bot.handBack === undefined)
        throw new TransportError(
          'E_CONTROL_REQUEST',
          `${bot.name}: this is the bot, not its guard process`,
        );
      bot.handBack();
      break;
    default:
      assertNever(command);
  }
}

function malformed(received: string): ControlAnswer {
  return {
    ok: false,
    code: 'E_CONTROL_REQUEST',
    message: `expected one line of JSON such as {"command":"status"}, of at most ${String(MAX_REQUEST_LENGTH)} characters, received ${received}`,
  };
}
