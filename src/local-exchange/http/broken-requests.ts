import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { AnswerProfile } from '../../venue/wire/index.js';
import { refuse } from '../refusal.js';
import type { ExchangeTimers } from './timers.js';
import { writeRefusal } from './wire-answer.js';

/** How long a client may take to read the answer to a broken request before its connection is destroyed, in milliseconds. */
const LINGER_MS = 500;

type Problem = readonly [status: string, code: '-1007' | '-1100', text: string];

/**
 * The problem of a request, by Node's error code. With any other code, the input is not HTTP. A request that came too slowly was no mistake of its sender, so it
 * counts as one without an answer: a client may ask again.
 */
const PROBLEMS: Readonly<Record<string, Problem>> = {
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', '-1007', 'the request took too long to arrive'],
  HPE_HEADER_OVERFLOW: [
    '431 Request Header Fields Too Large',
    '-1100',
    'the headers are too large',
  ],
};
const NO_HTTP: Problem = ['400 Bad Request', '-1100', 'this is no HTTP request'];

/**
 * Answers input that is not HTTP in the shape of the interface, and ends its connection for good. Otherwise a client that never hangs up would keep
 * the connection half open for ever. It would use up one of the limited number of connections.
 */
export function answerBrokenRequests(
  server: Server,
  { profile, timers }: { readonly profile: AnswerProfile; readonly timers: ExchangeTimers },
): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const [status, code, text] = PROBLEMS[error.code ?? ''] ?? NO_HTTP;
    const { body } = writeRefusal(refuse(code, text), profile);
    socket.end(
      `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: ${String(Buffer.byteLength(body))}\r\nconnection: close\r\n\r\n${body}`,
    );
    // Not at once: a reset would overtake the answer to a client that is still writing.
    const cancel = timers.after(LINGER_MS, () => socket.destroy());
    socket.once('close', cancel);
  });
}
