import type { Server } from 'node:http';
import type { ExchangeTimers } from './timers.js';

/** How long a sender may go on with a body that was answered before its end, in milliseconds. */
const LINGER_MS = 500;

/**
 * Reads past a body that was answered before it was all there, for a while: an end of the connection would overtake the answer on its way to who is still
 * writing. Once the body is over the connection serves on.
 */
export function readPastUnreadBodies(server: Server, timers: ExchangeTimers): void {
  server.on('request', (request, response) => {
    response.once('finish', () => {
      if (request.complete) return;
      const cancel = timers.after(LINGER_MS, () => request.socket.destroy());
      request.once('end', cancel);
      request.once('close', cancel);
      request.resume();
    });
  });
}
