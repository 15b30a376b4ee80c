import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { AnswerProfile } from '../../venue/wire/index.js';
import { refuse } from '../refusal.js';
import type { ExchangeTimers } from './timers.js';
import { writeRefusal } from './wire-answer.js';

/** How long an answer to a broken request may take to be read before its connection is gone, in milliseconds. */
const LINGER_MS = 500;

/** What is wrong with a request, by the code that Node gives it; of others nothing can be read. */
const PROBLEMS: Readonly<Record<string, readonly [status: string, text: string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'the request took too long to arrive'],
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'the headers are too large'],
};
const NO_HTTP = ['400 Bad Request', 'this is no HTTP request'] as const;

/**
 * What is no HTTP gets an answer in the interface's shape, and its connection ends for good: a client that never hangs up would keep
 * a half of it open for ever, and with it one of the places that there are.
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
    const [status, text] = PROBLEMS[error.code ?? ''] ?? NO_HTTP;
    const { body } = writeRefusal(refuse('-1100', text), profile);
    socket.end(
      `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: ${String(Buffer.byteLength(body))}\r\nconnection: close\r\n\r\n${body}`,
    );
    // At once would take the answer from who is still writing: a reset overtakes it.
    const cancel = timers.after(LINGER_MS, () => socket.destroy());
    socket.once('close', cancel);
  });
}
