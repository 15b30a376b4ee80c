import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import type { ServerClockOptions, VenueClient } from '../../../src/client/index.js';
import { ENDPOINTS } from '../../../src/venue/wire/index.js';
import { byPath, FaultServer, json, type Reply } from '../../support/fault-server.js';
import { aLog } from '../../support/log.js';
import { REAL_TIME } from '../../support/real-time.js';
import { aVenueClient } from '../../support/venue-client.js';

const HOUR = 3_600_000;
const TIME = '/sapi/v1/time';
const ACCOUNT = '/sapi/v1/account';
const ORDER = '/sapi/v1/order';
const SIGNAL = new AbortController().signal;

let server: FaultServer;
let client: VenueClient;
/** How many ms the server's clock and our clock are ahead of the machine's clock. */
let serverAheadMs = 0;
let ourAheadMs = 0;

const serverNow = (): number => Date.now() + serverAheadMs;

/** Accepts a timestamp like the venue: at most 1 s ahead of and 5 s behind its clock. */
function guarded(answer: string): Reply {
  return (exchange) => {
    const stamp = Number(exchange.request.headers['x-ch-ts']);
    const isInWindow = stamp < serverNow() + 1_000 && serverNow() - stamp <= 5_000;
    json(isInWindow ? answer : '{"code":-1021,"msg":"timestamp"}')(exchange);
  };
}

function start(serverClock: ServerClockOptions): void {
  const clock = { now: () => REAL_TIME.now() + ourAheadMs };
  client = aVenueClient(server, { clock, serverClock: { samples: 1, ...serverClock } });
}

beforeEach(async () => {
  serverAheadMs = 0;
  ourAheadMs = 0;
  server = await FaultServer.start(
    byPath({
      [TIME]: (exchange) => {
        json(`{"serverTime":${String(serverNow())}}`)(exchange);
      },
      [ACCOUNT]: guarded(ENDPOINTS['spot.account'].examples.answer),
      [ORDER]: guarded(ENDPOINTS['spot.order'].examples.answer),
    }),
  );
});

afterEach(async () => {
  await server.stop();
  await client.close();
});

function readAccount(): Promise<unknown> {
  return client.call(ENDPOINTS['spot.account'], {}, { signal: SIGNAL });
}

function sendOrder(): Promise<unknown> {
  const { request } = ENDPOINTS['spot.order'].examples;
  return client.ask(ENDPOINTS['spot.order'], request, { signal: SIGNAL });
}

describe('a clock that is off from the start', () => {
  it('is measured before the first signed call, which then passes', async () => {
    serverAheadMs = 20_000;
    start({});

    await readAccount();

    expect([server.count(TIME), server.count(ACCOUNT)]).toEqual([1, 1]);
    expect(client.clockReading('spot')?.offsetMs).toBeGreaterThan(19_000);
  });

  it('keeps signed calls from being sent if the offset exceeds the bound', async () => {
    serverAheadMs = HOUR;
    start({ maxOffsetMs: 30_000 });

    await expect(readAccount()).rejects.toMatchObject({
      name: 'ClockOffsetError',
      code: 'E_CLOCK_OFFSET',
    });
    await expect(sendOrder()).rejects.toMatchObject({ code: 'E_CLOCK_OFFSET', retryable: true });

    expect([server.count(ACCOUNT), server.count(ORDER)]).toEqual([0, 0]);
  });
});

describe.each([
  ['the server jumps an hour ahead', () => (serverAheadMs = HOUR)],
  ['the server jumps an hour back', () => (serverAheadMs = -HOUR)],
  ['our clock jumps an hour ahead', () => (ourAheadMs = HOUR)],
])('when %s', (_name, jump) => {
  it('repeats a refused read once, after a new measurement of the clock', async () => {
    start({ maxOffsetMs: 2 * HOUR });
    await readAccount();
    jump();

    await readAccount();

    // If our clock jumps, it may also be refreshed in the background, because the reading looks an hour old.
    expect(server.count(TIME)).toBeGreaterThanOrEqual(2);
    expect(server.count(ACCOUNT)).toBe(3);
  });

  it('does not repeat a refused order, and sends the next order', async () => {
    start({ maxOffsetMs: 2 * HOUR });
    await readAccount();
    jump();

    await expect(sendOrder()).rejects.toMatchObject({
      name: 'TransportError',
      code: 'E_CLOCK_REJECTED',
    });
    const before = server.count(ORDER);
    const next = await sendOrder();

    expect(before).toBe(1);
    expect(next).toMatchObject({ kind: 'answer' });
  });

  it('refuses signed calls with E_CLOCK_OFFSET if the offset exceeds the bound', async () => {
    start({ maxOffsetMs: 30_000 });
    await readAccount();
    jump();

    await expect(readAccount()).rejects.toMatchObject({ code: 'E_CLOCK_OFFSET' });
  });
});

describe('when our clock jumps an hour back', () => {
  it('measures the clock before it signs a call, so no call is refused', async () => {
    start({ maxOffsetMs: 2 * HOUR });
    await readAccount();
    ourAheadMs = -HOUR;

    await readAccount();
    await sendOrder();

    expect([server.count(TIME), server.count(ACCOUNT), server.count(ORDER)]).toEqual([2, 2, 1]);
  });
});

describe.each([
  ['is no JSON', json('<html>')],
  ['is refused', json('{"code":-1121,"msg":"no time today"}')],
  ['is refused by its status alone', json('{}', 404)],
  ['is lost on its way', ({ socket }: Parameters<Reply>[0]) => void socket.destroy()],
])('when the server time %s', (_name, failure) => {
  const failing = (times: number): void => {
    server.answerWith(
      byPath({
        [TIME]: (exchange) => {
          const isFailing = server.count(TIME) <= times;
          (isFailing ? failure : json(`{"serverTime":${String(serverNow())}}`))(exchange);
        },
        [ACCOUNT]: guarded(ENDPOINTS['spot.account'].examples.answer),
        [ORDER]: guarded(ENDPOINTS['spot.order'].examples.answer),
      }),
    );
  };

  it('sends an order once the time is known', async () => {
    start({});
    failing(2);

    expect(await sendOrder()).toMatchObject({ kind: 'answer' });
    expect([server.count(TIME), server.count(ORDER)]).toEqual([3, 1]);
  });

  it('does not send an order while the time stays unknown, and sends the next order', async () => {
    start({});
    failing(3);

    await expect(sendOrder()).rejects.toMatchObject({ name: 'TimeUnknownError', retryable: true });
    const before = server.count(ORDER);
    const next = await sendOrder();

    expect(before).toBe(0);
    expect(next).toMatchObject({ kind: 'answer' });
  });

  it('asks for the time again before a read', async () => {
    start({});
    failing(1);

    await readAccount();

    expect([server.count(TIME), server.count(ACCOUNT)]).toEqual([2, 1]);
  });
});

describe('a venue that rejects every timestamp', () => {
  it('receives a read twice and not more often', async () => {
    start({});
    server.answerWith(
      byPath({
        [TIME]: (exchange) => {
          json(`{"serverTime":${String(serverNow())}}`)(exchange);
        },
        [ACCOUNT]: json('{"code":-1021,"msg":"timestamp"}'),
      }),
    );
    client = aVenueClient(server, {
      retry: { retries: 0 },
      serverClock: { samples: 1 },
      log: aLog(),
    });

    await expect(readAccount()).rejects.toMatchObject({ code: 'E_CLOCK_REJECTED' });

    expect(server.count(ACCOUNT)).toBe(2);
  });
});
