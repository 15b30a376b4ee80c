import type { Server } from 'node:http';
import type { ExchangeTimers } from './timers.js';

/** How long a sender may continue a body that was answered before its end, in milliseconds. */
const LINGER_MS = 500;

/**
 * Reads the rest of a body that was answered before it was complete, for a limited time. Ending the connection at once could overtake the answer to a
 * sender that is still writing. When the body is complete, the connection continues to serve.
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
