import { once } from 'node:events';
import { createConnection, createServer, type Server } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { serveExchange } from '../../../src/local-exchange/index.js';
import { encodeRequest, ENDPOINTS } from '../../../src/venue/wire/index.js';
import {
  buildTestExchange,
  CONTROL_TOKEN,
  instrumentsAround,
  signerOf,
  testAccount,
} from '../../support/local-exchange/test-exchange.js';
import {
  serveTestExchange,
  type ServedTestExchange,
} from '../../support/local-exchange/served-exchange.js';
import { REAL_TIME } from '../../support/real-time.js';
import { settle, VirtualTime } from '../../support/virtual-time.js';

const ORDER = {
  symbol: 'BTCUSDT',
  volume: '0.01',
  side: 'BUY',
  type: 'LIMIT',
  price: '30000',
} as const;

let served: ServedTestExchange;

beforeEach(async () => {
  const now = REAL_TIME.now();
  const instruments = instrumentsAround(now);
  served = await serveTestExchange({ clock: { mode: 'realtime', start: now }, instruments });
});

afterEach(async () => {
  await served.close();
});

function placeOrder(signal?: AbortSignal): Promise<Response> {
  const { method, path, body } = encodeRequest(ENDPOINTS['spot.order'], ORDER);
  const headers = signerOf(testAccount()).sign({ timestamp: Date.now(), method, path, body });
  return fetch(served.url + path, {
    method,
    body,
    headers: { 'content-type': 'application/json', ...headers },
    ...(signal === undefined ? {} : { signal }),
  });
}

/** The system error code behind a failed fetch, or the status of an answer. */
async function failureOf(answer: Promise<Response>): Promise<string> {
  try {
    return String((await answer).status);
  } catch (error: unknown) {
    const cause = error instanceof Error ? error.cause : undefined;
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
    return typeof code === 'string' ? code : String(error);
  }
}

function working(): number {
  const { accounts, market, marketTime } = served.exchange.parts;
  const [listing] = market.spotListings(marketTime.now());
  const holder = accounts.byUser('10001');
  if (listing === undefined || holder === undefined) throw new Error('expected an account');
  return holder.account.openOrders(listing.instrumentId, marketTime.now()).length;
}

function count(fault: string): number {
  return served.exchange.parts.faults.counts()[fault] ?? 0;
}

/** Sends the bytes unchanged. Returns the received text when the connection ends. */
function raw(bytes: string): Promise<string> {
  return new Promise((resolve) => {
    let received = '';
    const socket = createConnection({ port: served.port, host: '127.0.0.1' });
    socket.on('data', (text: Buffer) => (received += text.toString()));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      resolve(received);
    });
    socket.write(bytes);
  });
}

describe('connection faults', () => {
  it('reset-before resets the connection without an effect', async () => {
    await served.control('POST', '/faults', { fault: 'reset-before', endpoints: ['spot.order'] });

    expect(await failureOf(placeOrder())).toMatch(/ECONNRESET|UND_ERR_SOCKET/);
    expect([working(), count('reset-before')]).toEqual([0, 1]);
  });

  it('reset-after resets the connection after the order was accepted', async () => {
    await served.control('POST', '/faults', { fault: 'reset-after', endpoints: ['spot.order'] });

    expect(await failureOf(placeOrder())).toMatch(/ECONNRESET|UND_ERR_SOCKET/);
    expect([working(), count('reset-after')]).toEqual([1, 1]);
  });

  it('answer-lost accepts the order and never answers', async () => {
    await served.control('POST', '/faults', { fault: 'answer-lost', endpoints: ['spot.order'] });

    const failure = await failureOf(placeOrder(AbortSignal.timeout(300)));

    expect(failure).toContain('Timeout');
    expect([working(), count('answer-lost')]).toEqual([1, 1]);
  });

  it('connection-refused stops listening for a while', async () => {
    const rule = { fault: 'connection-refused', durationMs: 300 };
    await served.control('POST', '/faults', rule);

    const refused = await failureOf(fetch(`${served.url}/sapi/v1/ping`));
    let status = refused;
    for (let attempt = 0; attempt < 100 && status !== '200'; attempt += 1) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      status = await failureOf(fetch(`${served.url}/sapi/v1/ping`));
    }

    expect(refused).toMatch(/ECONNREFUSED|ECONNRESET|UND_ERR_SOCKET/);
    expect([status, count('connection-refused')]).toEqual(['200', 1]);
  });
});

describe('an exchange that listens again', () => {
  it('waits until another program has left its port', async () => {
    const time = new VirtualTime();
    const control = { token: CONTROL_TOKEN, randomText: () => 'r4nd0m' };
    const own = await serveExchange(buildTestExchange(), { port: 0, timers: time, control });
    onTestFinished(() => own.close());
    await fetch(`${own.url}/control/faults`, {
      method: 'POST',
      headers: { authorization: `Bearer ${CONTROL_TOKEN}` },
      body: '{"fault":"connection-refused","durationMs":300}',
    });
    const other = createServer();
    while (!other.listening) await takePort(other, own.port);

    await time.advance(300);
    // It has noticed that the port is taken, and waits.
    while (time.pending === 0) await settle();
    await new Promise((resolve) => other.close(resolve));
    await time.advance(1_000);

    let status = '';
    while (status !== '200') status = await failureOf(fetch(`${own.url}/sapi/v1/ping`));
    expect(time.pending).toBe(0);
  });

  /** Tries to listen on a port. */
  function takePort(server: Server, port: number): Promise<void> {
    return new Promise((resolve) => {
      server.once('error', () => resolve());
      server.listen(port, '127.0.0.1', () => resolve());
    });
  }
});

describe('broken requests', () => {
  it.each([
    ['no HTTP', 'hello\r\n\r\n'],
    [
      'a header without end',
      `GET /sapi/v1/ping HTTP/1.1\r\nHost: localhost\r\nA: ${'a'.repeat(20_000)}\r\n\r\n`,
    ],
    [
      'a broken length',
      'POST /sapi/v1/order HTTP/1.1\r\nHost: localhost\r\nContent-Length: x\r\n\r\n',
    ],
  ])('get an answer in the format of the interface: %s', async (_what, bytes) => {
    const answer = await raw(bytes);

    expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /);
    expect(answer.split('\r\n\r\n')[1]).toMatch(/^\{"code":-\d+,"msg":"[^"]+"\}$/);
  });

  it('with headers above 16 KiB get the status 431', async () => {
    const answer = await raw(
      `GET / HTTP/1.1\r\nHost: localhost\r\nA: ${'a'.repeat(17_000)}\r\n\r\n`,
    );

    expect(answer).toMatch(/^HTTP\/1\.1 431 /);
  });

  it('leave no connection open, also if clients stay silent and never close', async () => {
    const { serveExchange } = await import('../../../src/local-exchange/index.js');
    const small = await serveExchange(served.exchange, {
      port: 0,
      timers: REAL_TIME,
      control: undefined,
      patience: { headersMs: 300, requestMs: 300 },
      maxConnections: 8,
    });
    const silent = Array.from({ length: 8 }, () =>
      createConnection({ port: small.port, host: '127.0.0.1', allowHalfOpen: true }),
    );
    // Each connection receives 408. The test keeps all of them open.
    await Promise.all(silent.map((socket) => once(socket.resume(), 'end')));
    await new Promise((resolve) => setTimeout(resolve, 700));

    const status = await failureOf(fetch(`${small.url}/sapi/v1/ping`));
    for (const socket of silent) socket.destroy();
    await small.close();

    expect(status).toBe('200');
  });

  it.each([
    ['evil.example', 403],
    ['evil.example:8480', 403],
    ['127.0.0.1.evil.example', 403],
    ['localhost', 200],
    ['LOCALHOST:8480', 200],
    ['127.0.0.1:1', 200],
    ['[::1]:8480', 200],
  ])('with the host %s are answered with %i', async (host, status) => {
    const answer = await raw(
      `GET /sapi/v1/ping HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
    );

    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${String(status)} `));
    if (status === 403) expect(answer).toContain('{"code":-1100,"msg":');
  });

  it('that never end are cut off', async () => {
    const headers = await raw('GET /sapi/v1/ping HTTP/1.1\r\nHost: localhost\r\n');
    const body = await raw(
      'POST /sapi/v1/order HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"a"',
    );

    expect(headers).toContain('408');
    // Not the sender's mistake: a client may ask again.
    expect(headers).toContain('{"code":-1007,"msg":"the request took too long to arrive"');
    expect(body).toMatch(/408|400|^$/);
  });

  it('with a body above the limit are refused', async () => {
    const answer = await fetch(`${served.url}/sapi/v1/order`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: `{"a":"${'a'.repeat(70_000)}"}`,
    });

    expect([answer.status, await answer.json()]).toMatchObject([413, { code: -1102 }]);
  });

  it('from other machines are impossible, because only loopback addresses are accepted', async () => {
    const { serveExchange } = await import('../../../src/local-exchange/index.js');
    const options = { port: 0, timers: REAL_TIME, control: undefined };

    await expect(
      serveExchange(served.exchange, { ...options, host: '0.0.0.0' }),
    ).rejects.toMatchObject({ code: 'E_EXCHANGE_HOST' });
  });
});
