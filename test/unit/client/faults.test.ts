import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import type { VenueClient, VenueClientOptions } from '../../../src/client/index.js';
import { TradingError } from '../../../src/domain/index.js';
import { ENDPOINTS } from '../../../src/venue/wire/index.js';
import { byPath, FaultServer, json, type Reply } from '../../support/fault-server.js';
import { aVenueClient } from '../../support/venue-client.js';

const READ = '/sapi/v1/ticker';
const POST_READ = '/fapi/v1/orderHistorical';
const ORDER = '/sapi/v1/order';
const TICKER = ENDPOINTS['spot.ticker'].examples.answer;
const CREATED = ENDPOINTS['spot.order'].examples.answer;
const SIGNAL = new AbortController().signal;

/** How a call ended: `answer`, `refused CODE`, or the name and code of the error. */
type Ending = string;

interface Fault {
  readonly name: string;
  readonly reply: Reply;
  /** Ending of a GET, and how often it reached the server. */
  readonly read: readonly [Ending, number];
  /** Ending of an order. An order always reaches the server exactly once. */
  readonly order: Ending;
  /** Whether only a timeout ends the call. The test then uses short timeouts. */
  readonly isEndless?: boolean;
}

const UNKNOWN = 'OutcomeUnknownError E_OUTCOME_UNKNOWN';

/** Writes raw bytes instead of an HTTP answer. */
function raw(text: string): Reply {
  return ({ socket }) => {
    socket.end(text);
  };
}

function html(status: number): Reply {
  return ({ response }) => {
    response.writeHead(status, { 'content-type': 'text/html' });
    response.end('<html><body><h1>Sorry</h1></body></html>');
  };
}

/** The page of a gateway for an error. */
function pageOf(status: number): string {
  return `{"timestamp":1760000000000,"status":${String(status)},"error":"No","message":"","path":"/x"}`;
}

/** Writes a head and the start of a body, then calls `then`. */
function begin(then: (close: () => void) => void): Reply {
  return ({ response, socket }) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '500' });
    response.write('{"time":17600000');
    then(() => {
      socket.resetAndDestroy();
    });
  };
}

const DUPLICATES =
  'content-type: application/json\r\nx-a: 1\r\nx-a: 2\r\ncontent-type: text/plain\r\n';

function withDuplicateHeaders(body: string): Reply {
  const length = String(Buffer.byteLength(body));
  return raw(`HTTP/1.1 200 OK\r\n${DUPLICATES}content-length: ${length}\r\n\r\n${body}`);
}

/** Answers a read with `read`, and an order with `order`. */
function both(read: (body: string) => Reply): Reply {
  return (exchange) => {
    read(exchange.request.path.startsWith(READ) ? TICKER : CREATED)(exchange);
  };
}

const FAULTS: readonly Fault[] = [
  {
    name: 'a connection reset before the answer',
    reply: ({ socket }) => socket.resetAndDestroy(),
    read: ['HttpFailure E_CONNECTION_LOST', 3],
    order: UNKNOWN,
  },
  {
    name: 'a connection reset in the middle of the body',
    reply: begin((close) => setTimeout(close, 5)),
    read: ['HttpFailure E_CONNECTION_LOST', 3],
    order: UNKNOWN,
  },
  {
    name: 'an answer that never begins',
    reply: () => undefined,
    read: ['HttpFailure E_TIMEOUT', 3],
    order: UNKNOWN,
    isEndless: true,
  },
  {
    name: 'an answer that never ends',
    reply: begin(() => undefined),
    read: ['HttpFailure E_TIMEOUT', 3],
    order: UNKNOWN,
    isEndless: true,
  },
  {
    name: 'truncated JSON',
    reply: json('{"time":1760000000123,"high":66'),
    read: ['WireFormatError E_WIRE_JSON', 3],
    order: UNKNOWN,
  },
  {
    name: 'HTML instead of JSON',
    reply: html(200),
    read: ['WireFormatError E_WIRE_JSON', 3],
    order: UNKNOWN,
  },
  {
    name: 'an empty body',
    reply: json(''),
    read: ['WireFormatError E_WIRE_JSON', 3],
    order: UNKNOWN,
  },
  {
    name: 'JSON of another shape',
    reply: json('{"pong":true}'),
    read: ['WireFormatError E_WIRE_FORMAT', 3],
    order: UNKNOWN,
  },
  {
    name: 'the answer with a wrong content type, which is read all the same',
    reply: both((body) => json(body, 200, { 'content-type': 'text/plain' })),
    read: ['answer', 1],
    order: 'answer',
  },
  {
    name: 'the answer with duplicate headers, which is read all the same',
    reply: both(withDuplicateHeaders),
    read: ['answer', 1],
    order: 'answer',
  },
  {
    name: 'two lengths that contradict each other',
    reply: raw('HTTP/1.1 200 OK\r\ncontent-length: 5\r\ncontent-length: 7\r\n\r\n{"a":1}'),
    read: ['HttpFailure E_CONNECTION_LOST', 3],
    order: UNKNOWN,
  },
  {
    name: 'bytes that are no HTTP',
    reply: raw('\u0000\u0001 what?\r\n\r\n'),
    read: ['HttpFailure E_CONNECTION_LOST', 3],
    order: UNKNOWN,
  },
  {
    name: 'a body of 10 MB',
    reply: json(`"${'x'.repeat(10_000_000)}"`),
    read: ['HttpFailure E_BODY_SIZE', 1],
    order: UNKNOWN,
  },
  {
    name: 'an error body with status 200',
    reply: json('{"code":"-1121","msg":"bad symbol","data":null,"succ":false}'),
    read: ['VenueRefusalError E_VENUE_REFUSED -1121', 1],
    order: 'refused -1121',
  },
  {
    name: 'an error body with status 400',
    reply: json('{"code":-2017,"msg":"no money"}', 400),
    read: ['VenueRefusalError E_VENUE_REFUSED -2017', 1],
    order: 'refused -2017',
  },
  {
    name: 'a 404 in HTML',
    reply: html(404),
    read: ['VenueRefusalError E_VENUE_REFUSED HTTP 404', 1],
    order: 'refused HTTP 404',
  },
  {
    name: 'a 404 in the JSON of a gateway',
    reply: json(pageOf(404), 404),
    read: ['VenueRefusalError E_VENUE_REFUSED HTTP 404', 1],
    order: 'refused HTTP 404',
  },
  {
    name: 'a 403 in the JSON of a gateway, with status 200',
    reply: json(pageOf(403)),
    read: ['AuthError E_AUTH', 1],
    order: 'AuthError E_AUTH',
  },
  {
    name: 'a 502 in the JSON of a gateway',
    reply: json(pageOf(502), 502),
    read: ['TransportError E_VENUE_FAILED', 3],
    order: UNKNOWN,
  },
  {
    name: 'a redirect',
    reply: json('', 302, { location: 'https://elsewhere.example' }),
    read: ['TransportError E_VENUE_FAILED', 3],
    order: UNKNOWN,
  },
  {
    name: 'a 401',
    reply: html(401),
    read: ['AuthError E_AUTH', 1],
    order: 'AuthError E_AUTH',
  },
  {
    name: 'a bad signature',
    reply: json('{"code":-1022,"msg":"bad signature"}', 401),
    read: ['AuthError E_AUTH', 1],
    order: 'AuthError E_AUTH',
  },
  {
    name: 'a 429',
    reply: json('{"code":-1003,"msg":"slow down"}', 429),
    read: ['RateLimitError E_RATE_LIMITED', 1],
    order: 'RateLimitError E_RATE_LIMITED',
  },
  {
    name: 'too many requests with status 200',
    reply: json('{"code":"-1003","msg":"slow down"}'),
    read: ['RateLimitError E_RATE_LIMITED', 1],
    order: 'RateLimitError E_RATE_LIMITED',
  },
  {
    name: 'a 418',
    reply: html(418),
    read: ['AuthError E_BANNED', 1],
    order: 'AuthError E_BANNED',
  },
  {
    name: 'a 500',
    reply: html(500),
    read: ['TransportError E_VENUE_FAILED', 3],
    order: UNKNOWN,
  },
  {
    name: 'a 503',
    reply: json('', 503),
    read: ['TransportError E_VENUE_FAILED', 3],
    order: UNKNOWN,
  },
  {
    name: 'a 504',
    reply: html(504),
    read: ['TransportError E_VENUE_FAILED', 3],
    order: UNKNOWN,
  },
  {
    name: 'a service that is shut down',
    reply: json('{"code":-1016,"msg":"closed"}', 503),
    read: ['TransportError E_VENUE_UNAVAILABLE', 3],
    order: 'TransportError E_VENUE_UNAVAILABLE',
  },
  {
    name: 'a timeout inside the venue',
    reply: json('{"code":-1007,"msg":"timeout"}'),
    read: ['TransportError E_VENUE_FAILED', 3],
    order: UNKNOWN,
  },
  {
    name: 'a code that nobody documented',
    reply: json('{"code":-99999,"msg":"?"}'),
    read: ['TransportError E_VENUE_FAILED', 3],
    order: UNKNOWN,
  },
];

let server: FaultServer;
let client: VenueClient;

beforeEach(async () => {
  server = await FaultServer.start(json('{}'));
  await start();
});

async function start(overrides: Partial<VenueClientOptions> = {}): Promise<void> {
  client = aVenueClient(server, overrides);
  answerWith(json('{}'));
  await client.serverTime('spot', SIGNAL);
}

/** Starts again with timeouts that are short enough for a test. */
async function startHasty(): Promise<void> {
  await client.close();
  await start({ timeouts: { headersMs: 100, bodyMs: 100 } });
}

afterEach(async () => {
  // In every case, no POST reached the server twice.
  const posts = server.seen.filter(({ method }) => method === 'POST').map(({ body }) => body);
  await server.stop();
  await client.close();
  expect(new Set(posts).size).toBe(posts.length);
});

/** Answers every path but the time with a fault. */
function answerWith(reply: Reply): void {
  const time: Reply = (exchange) => {
    json(`{"timezone":"GMT","serverTime":${String(Date.now())}}`)(exchange);
  };
  server.answerWith(
    byPath({
      '/sapi/v1/time': time,
      '/fapi/v1/time': time,
      [READ]: reply,
      [ORDER]: reply,
      [POST_READ]: reply,
    }),
  );
}

async function endingOf(calling: Promise<unknown>): Promise<Ending> {
  try {
    const reply = await calling;
    const isRefused = typeof reply === 'object' && reply !== null && 'code' in reply;
    return isRefused ? `refused ${String(reply.code)}` : 'answer';
  } catch (error: unknown) {
    if (!(error instanceof TradingError)) return String(error);
    const venueCode = 'venueCode' in error ? ` ${String(error.venueCode)}` : '';
    return `${error.name} ${error.code}${venueCode}`;
  }
}

function readTicker(): Promise<Ending> {
  return endingOf(client.call(ENDPOINTS['spot.ticker'], { symbol: 'BTCUSDT' }, { signal: SIGNAL }));
}

function sendOrder(signal = SIGNAL): Promise<Ending> {
  const { request } = ENDPOINTS['spot.order'].examples;
  return endingOf(client.ask(ENDPOINTS['spot.order'], request, { signal }));
}

describe('a read that meets a fault', () => {
  it.each(FAULTS)(
    'ends as stated after $name',
    async ({ reply, read: [ending, times], isEndless }) => {
      if (isEndless === true) await startHasty();
      answerWith(reply);

      const outcome = await readTicker();

      expect([outcome, server.count(READ)]).toEqual([ending, times]);
    },
  );

  it('ends with E_CONNECT without a server', async () => {
    await server.stop();

    expect(await readTicker()).toBe('HttpFailure E_CONNECT');
  });

  it('is answered if the fault passes', async () => {
    let calls = 0;
    answerWith((exchange) => {
      calls += 1;
      (calls < 3 ? html(502) : json(TICKER))(exchange);
    });

    expect([await readTicker(), server.count(READ)]).toEqual(['answer', 3]);
  });

  it('is not sent after a ban, and an order is not sent either', async () => {
    answerWith(html(418));
    await readTicker();

    const endings = [await readTicker(), await sendOrder()];

    expect(endings).toEqual(['AuthError E_BANNED', 'AuthError E_BANNED']);
    expect([server.count(READ), server.count(ORDER)]).toEqual([1, 0]);
  });

  it('reaches the server only once if it is a POST', async () => {
    answerWith(html(500));
    const { request } = ENDPOINTS['futures.orderHistorical'].examples;

    const ending = await endingOf(
      client.call(ENDPOINTS['futures.orderHistorical'], request, { signal: SIGNAL }),
    );

    expect([ending, server.count(POST_READ)]).toEqual(['TransportError E_VENUE_FAILED', 1]);
  });
});

describe('an order that meets a fault', () => {
  it.each(FAULTS)('ends as stated after $name, sent once', async ({ reply, order, isEndless }) => {
    if (isEndless === true) await startHasty();
    answerWith(reply);

    const outcome = await sendOrder();

    expect([outcome, server.count(ORDER)]).toEqual([order, 1]);
  });

  it('ends with E_CONNECT without a server, so nothing was done', async () => {
    await server.stop();

    expect(await sendOrder()).toBe('HttpFailure E_CONNECT');
  });

  it('is never sent if its signal is aborted before it is sent', async () => {
    const ending = await sendOrder(AbortSignal.abort(new Error('stopped')));

    expect([ending, server.count(ORDER)]).toEqual(['Error: stopped', 0]);
  });

  it('has an unknown outcome if its signal is aborted while it waits for the answer', async () => {
    const controller = new AbortController();
    answerWith(() => {
      controller.abort(new Error('stopped'));
    });

    expect([await sendOrder(controller.signal), server.count(ORDER)]).toEqual([UNKNOWN, 1]);
  });
});
