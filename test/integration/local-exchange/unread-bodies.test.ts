import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RawConnection } from '../../support/local-exchange/raw-connection.js';
import {
  serveTestExchange,
  type ServedTestExchange,
} from '../../support/local-exchange/served-exchange.js';
import { MARKET_START } from '../../support/local-exchange/test-exchange.js';

let served: ServedTestExchange;
let connection: RawConnection;

beforeEach(async () => {
  served = await serveTestExchange({ clock: { mode: 'realtime', start: MARKET_START } });
  connection = await RawConnection.open(served.port);
});

afterEach(async () => {
  connection.destroy();
  await served.close();
});

function post(path: string, length: number, host = 'localhost'): string {
  return `POST ${path} HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/json\r\ncontent-length: ${String(length)}\r\n\r\n`;
}

async function ask(request: string): Promise<number | undefined> {
  connection.write(request);
  return (await connection.answer())?.status;
}

const PING = 'GET /sapi/v1/ping HTTP/1.1\r\nhost: localhost\r\n\r\n';

describe('a request body that is answered before it has arrived', () => {
  it.each([
    ['larger than is taken', '/sapi/v1/order', 'localhost', 413],
    ['of a page that was made to lead here', '/sapi/v1/order', 'elsewhere', 403],
    ['to a path that is not there', '/sapi/v1/nothing', 'localhost', 404],
  ])(
    '%s: the answer reaches a client that still writes, and the connection stays usable',
    async (_what, path, host, status) => {
      const size = 512 * 1_024;
      connection.write(post(path, size, host));
      connection.write('x'.repeat(1_024));
      expect((await connection.answer())?.status).toBe(status);

      connection.write('x'.repeat(size - 1_024));

      expect(await ask(PING)).toBe(200);
    },
  );

  it('does not close the connection during later requests', async () => {
    expect(await ask(`${post('/sapi/v1/nothing', 4)}{} \n`)).toBe(404);
    for (let waited = 0; waited < 800; waited += 100) {
      expect(await ask(PING)).toBe(200);
      await delay(100);
    }
  });

  it('is not awaited forever: the connection is closed', async () => {
    connection.write(post('/sapi/v1/nothing', 100));
    expect((await connection.answer())?.status).toBe(404);

    await expect.poll(() => connection.isClosed, { timeout: 3_000 }).toBe(true);
  });
});
