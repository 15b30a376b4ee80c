import { MockAgent } from 'undici';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import type { VenueClient, VenueClientOptions } from '../../../src/client/index.js';
import { ENDPOINTS } from '../../../src/venue/wire/index.js';
import { aVenueClient } from '../../support/venue-client.js';
import { VirtualTime } from '../../support/virtual-time.js';

const ORIGIN = 'http://127.0.0.1:1';
const SIGNAL = new AbortController().signal;

interface Scripted {
  readonly status: number;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const TRADES: Scripted = { status: 200, body: ENDPOINTS['spot.trades'].examples.answer };
const TICKER: Scripted = { status: 200, body: ENDPOINTS['spot.ticker'].examples.answer };
const DOWN: Scripted = { status: 500, body: '' };
const TOO_MANY: Scripted = { status: 429, body: '{"code":-1003,"msg":"slow"}' };

let agent: MockAgent;
let time: VirtualTime;
let client: VenueClient;
/** When each request arrived, in milliseconds since the start. */
let arrivals: number[];

beforeEach(() => {
  agent = new MockAgent();
  agent.disableNetConnect();
  time = new VirtualTime();
  arrivals = [];
});

afterEach(async () => {
  await client.close();
});

/** A client on virtual time against a list of answers. The last answer repeats. */
function start(script: readonly Scripted[], overrides: Partial<VenueClientOptions> = {}): void {
  const begin = time.now();
  agent
    .get(ORIGIN)
    .intercept({ path: (path) => /^\/sapi\/v1\/t(icker|rades)/.test(path), method: 'GET' })
    .reply(() => {
      const { status, body, headers = {} } = script[arrivals.length] ?? script.at(-1) ?? TICKER;
      arrivals.push(time.now() - begin);
      return { statusCode: status, data: body, responseOptions: { headers: { ...headers } } };
    })
    .persist();
  client = aVenueClient(
    { url: ORIGIN },
    { clock: time, timers: time, dispatcher: agent, retry: {}, ...overrides },
  );
}

function readTicker(signal = SIGNAL): Promise<string> {
  return endingOf(client.call(ENDPOINTS['spot.ticker'], { symbol: 'BTCUSDT' }, { signal }));
}

function readTrades(): Promise<string> {
  const { request } = ENDPOINTS['spot.trades'].examples;
  return endingOf(client.call(ENDPOINTS['spot.trades'], request, { signal: SIGNAL }));
}

async function endingOf(call: Promise<unknown>): Promise<string> {
  const calling = call.then(
    () => 'answer',
    (error: unknown) =>
      error instanceof Error && 'code' in error ? String(error.code) : String(error),
  );
  await time.drain();
  return calling;
}

describe('a read that the venue asks to slow down', () => {
  it('waits one window, then two, and is answered', async () => {
    start([TOO_MANY, TOO_MANY, TICKER]);

    const ending = await readTicker();

    // Windows of spot are 2 s: refused at 0, again after 2 s, served after 4 s more.
    expect([ending, arrivals]).toEqual(['answer', [0, 2_000, 6_000]]);
  });

  it('waits as long as Retry-After asks', async () => {
    start([{ ...TOO_MANY, headers: { 'retry-after': '5' } }, TICKER]);

    const ending = await readTicker();

    expect([ending, arrivals]).toEqual(['answer', [0, 5_000]]);
  });

  it('fails at once if the wait would be long', async () => {
    start([{ ...TOO_MANY, headers: { 'retry-after': '60' } }]);

    const ending = await readTicker();

    expect([ending, arrivals]).toEqual(['E_RATE_LIMITED', [0]]);
  });
});

describe('a read while the server is down', () => {
  it('is repeated after 200 and 400 ms, each shortened at random by up to half', async () => {
    start([DOWN], { random: () => 0.5 });

    const ending = await readTicker();

    // 200 × 0.75, then 400 × 0.75 later.
    expect([ending, arrivals]).toEqual(['E_VENUE_FAILED', [0, 150, 450]]);
  });

  it('fails with the reason of the signal if it is aborted in a pause', async () => {
    start([DOWN]);
    const controller = new AbortController();
    time.after(50, () => {
      controller.abort(new Error('stopped'));
    });

    const ending = await readTicker(controller.signal);

    expect([ending, arrivals]).toEqual(['Error: stopped', [0]]);
  });
});

describe('a host that does not answer', () => {
  it('gets no calls after five failures, and is tried again a second later', async () => {
    const failures = Array<Scripted>(5).fill(DOWN);
    start([...failures, TRADES], { retry: { retries: 0 }, breaker: {} });

    const endings: string[] = [];
    for (let call = 0; call < 7; call += 1) endings.push(await readTrades());
    await time.advance(1_000);
    endings.push(await readTrades(), await readTrades());

    expect(endings).toEqual([
      ...Array<string>(5).fill('E_VENUE_FAILED'),
      ...Array<string>(2).fill('E_CIRCUIT_OPEN'),
      ...Array<string>(2).fill('answer'),
    ]);
    expect(arrivals).toEqual([0, 0, 0, 0, 0, 1_000, 1_000]);
  });

  it('still gets the calls that sample stops, and all calls again once it has answered', async () => {
    const failures = Array<Scripted>(6).fill(DOWN);
    start([...failures, TICKER, TRADES], { retry: { retries: 0 }, breaker: {} });
    for (let call = 0; call < 5; call += 1) await readTrades();

    const endings = [
      await readTrades(),
      await readTicker(),
      await readTrades(),
      await readTicker(),
      await readTrades(),
    ];

    expect(endings).toEqual([
      'E_CIRCUIT_OPEN',
      'E_VENUE_FAILED',
      'E_CIRCUIT_OPEN',
      'answer',
      'answer',
    ]);
  });
});
