import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { callBeside } from '../../../src/client/calls/call-beside.js';
import { ENDPOINTS } from '../../../src/venue/wire/index.js';
import { FaultServer, json } from '../../support/fault-server.js';
import { aVenueClient } from '../../support/venue-client.js';
import { VirtualTime } from '../../support/virtual-time.js';

const AFTER_MS = 3_000;

interface Begun {
  readonly at: number;
  readonly signal: AbortSignal;
  readonly sent: () => void;
  readonly resolve: (value: string) => void;
  readonly reject: (error: Error) => void;
}

/** A call whose tries the test ends by hand. */
function aCall() {
  const time = new VirtualTime(0);
  const owner = new AbortController();
  const tries: Begun[] = [];
  const outcome: { value?: string; error?: unknown } = {};
  const calling = callBeside<string>(
    (signal, sent) =>
      new Promise((resolve, reject) => {
        tries.push({ at: time.now(), signal, sent, resolve, reject });
        signal.addEventListener('abort', () => reject(signal.reason as Error));
      }),
    { timers: time, afterMs: AFTER_MS, signal: owner.signal },
  ).then(
    (value) => (outcome.value = value),
    (error: unknown) => (outcome.error = error),
  );
  const sendAll = (): void => {
    for (const each of tries) each.sent();
  };
  return { time, owner, tries, outcome, calling, sendAll };
}

describe('callBeside', () => {
  it('makes no second try while the first waits to be sent', async () => {
    const { time, tries } = aCall();

    await time.advance(60_000);

    expect(tries).toHaveLength(1);
  });

  it('makes a second try if the first has no answer in time, and returns the earlier answer', async () => {
    const { time, tries, outcome } = aCall();
    tries[0]?.sent();
    await time.advance(AFTER_MS - 1);
    const before = tries.length;
    await time.advance(1);
    tries[1]?.resolve('the second');
    await time.advance(1);

    expect(before).toBe(1);
    expect(outcome.value).toBe('the second');
    expect(tries.map(({ signal }) => signal.aborted)).toEqual([true, true]);
  });

  it('returns the answer of the first try if it comes earlier', async () => {
    const { time, tries, outcome } = aCall();
    tries[0]?.sent();
    await time.advance(AFTER_MS);
    tries[0]?.resolve('the first');
    await time.advance(10 * AFTER_MS);

    expect(outcome.value).toBe('the first');
    expect(tries).toHaveLength(2);
  });

  it('waits for the first and the newest try, even after a try between them failed', async () => {
    const { time, tries } = aCall();
    tries[0]?.sent();
    await time.advance(AFTER_MS);
    tries[1]?.reject(new Error('the connection is broken'));
    await time.advance(AFTER_MS);
    tries[2]?.sent();
    await time.advance(AFTER_MS);

    expect(tries.map(({ at }) => at)).toEqual([0, 3_000, 6_000, 9_000]);
    expect(tries.map(({ signal }) => signal.aborted)).toEqual([false, true, true, false]);
  });

  it('fails with the error of the first try, and aborts the others', async () => {
    const { time, tries, outcome } = aCall();
    tries[0]?.sent();
    await time.advance(AFTER_MS);
    const failure = new Error('no answer within 10 s');
    tries[0]?.reject(failure);
    await time.advance(10 * AFTER_MS);

    expect(outcome.error).toBe(failure);
    expect(tries[1]?.signal.aborted).toBe(true);
    expect(tries).toHaveLength(2);
  });

  it('aborts all tries with the signal of its caller', async () => {
    const { time, owner, tries, outcome } = aCall();
    tries[0]?.sent();
    await time.advance(AFTER_MS);
    const reason = new Error('the bot is stopped');
    owner.abort(reason);
    await time.advance(10 * AFTER_MS);

    expect(outcome.error).toBe(reason);
    expect(tries.map(({ signal }) => signal.aborted)).toEqual([true, true]);
  });
});

describe('VenueClient while a venue swallows requests', () => {
  let server: FaultServer;

  beforeEach(async () => {
    server = await FaultServer.start(() => undefined);
  });

  afterEach(async () => {
    await server.stop();
  });

  it.each(['spot.ticker', 'spot.openOrders'] as const)(
    'repeats %s until the venue answers again',
    async (id) => {
      const client = aVenueClient(server, { againAfterMs: 100 });
      const endpoint = ENDPOINTS[id];
      const reading = client.call(endpoint, { symbol: 'BTCUSDT' }, { signal: never() });
      await pause(350);
      const swallowed = server.seen.length;
      server.answerWith((exchange) => {
        const isTime = exchange.request.path.endsWith('/time');
        json(isTime ? `{"serverTime":${String(Date.now())}}` : endpoint.examples.answer)(exchange);
      });

      await reading;
      await client.close();

      expect(swallowed).toBeGreaterThan(2);
    },
  );

  it('does not repeat a call that its caller repeats', async () => {
    const client = aVenueClient(server, { againAfterMs: 50, timeouts: { headersMs: 300 } });
    const { ticker } = { ticker: ENDPOINTS['spot.ticker'] };
    const options = { signal: AbortSignal.timeout(250), isAskedAgain: true };

    await client.call(ticker, { symbol: 'BTCUSDT' }, options).catch(() => undefined);
    await client.close();

    expect(server.seen).toHaveLength(1);
  });

  it('never repeats a command', async () => {
    const client = aVenueClient(server, { againAfterMs: 50 });
    server.answerWith((exchange) => {
      if (exchange.request.path.endsWith('/time'))
        json(`{"serverTime":${String(Date.now())}}`)(exchange);
    });
    const { request } = ENDPOINTS['spot.cancel'].examples;
    const options = { signal: AbortSignal.timeout(400) };

    await client.call(ENDPOINTS['spot.cancel'], request, options).catch(() => undefined);
    await client.close();

    expect(server.seen.filter(({ method }) => method === 'POST')).toHaveLength(1);
  });
});

function never(): AbortSignal {
  return new AbortController().signal;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
