import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fixedFromNumber, MINUTE_MS, parseFixed } from '../../../src/domain/index.js';
import { buildVenueExchange, type VenueExchangeBuild } from '../../../src/local-exchange/index.js';
import {
  latencyOf,
  runAtVenue,
  runInLockstep,
  testVenue,
  type Decision,
} from '../../support/local-exchange/lockstep-run.js';
import {
  FIRST_CANDLE,
  FUTURES_ID,
  MARKET_START,
  SPOT_ID,
  startTestExchange,
  testAccount,
  testCandles,
  withinProcess,
  type TestExchange,
} from '../../support/local-exchange/test-exchange.js';
import { VirtualTime } from '../../support/virtual-time.js';

const SPAN_MS = 20 * MINUTE_MS;
const UNTIL = MARKET_START + SPAN_MS;
const OPEN = testCandles().open[(MARKET_START - FIRST_CANDLE) / MINUTE_MS] ?? 0;

/** Times of decisions: at closes of candles, and between. */
const decisionTime = fc
  .oneof(
    fc.nat(18).map((minute) => minute * MINUTE_MS),
    fc.nat(18 * MINUTE_MS),
  )
  .map((ms) => MARKET_START + ms);

const decisions: fc.Arbitrary<readonly Decision[]> = fc
  .array(
    fc.oneof(
      {
        weight: 4,
        arbitrary: fc.record({
          kind: fc.constant('order' as const),
          time: decisionTime,
          instrumentId: fc.constantFrom(SPOT_ID, FUTURES_ID),
          isBuy: fc.boolean(),
          isOpen: fc.boolean(),
          quantity: fc.integer({ min: 1, max: 40 }),
          bps: fc.integer({ min: -30, max: 30 }),
        }),
      },
      {
        weight: 1,
        arbitrary: fc.record({
          kind: fc.constant('cancel' as const),
          time: decisionTime,
          of: fc.nat(10),
        }),
      },
    ),
    { maxLength: 25 },
  )
  .map((drawn) =>
    drawn
      .toSorted((a, b) => a.time - b.time)
      .map((decision): Decision => {
        if (decision.kind === 'cancel') return decision;
        const { quantity, bps, ...rest } = decision;
        const limit = fixedFromNumber(Number((OPEN * (1 + bps / 10_000)).toFixed(2)));
        const unit = rest.instrumentId === SPOT_ID ? parseFixed('0.1') : parseFixed('1000');
        return { ...rest, quantity: BigInt(quantity) * unit, limit };
      }),
  );

function start(options: Partial<VenueExchangeBuild> = {}): TestExchange {
  return withinProcess(
    buildVenueExchange({
      ...{ venue: testVenue(), start: MARKET_START, account: testAccount(), updatePollMs: 2_000 },
      ...{ profile: 'interface', faults: { seed: 1, rules: [] }, limits: undefined },
      transport: new VirtualTime(),
      ...options,
    }),
  );
}

const BUY = { symbol: 'BTCUSDT', volume: '0.1', side: 'BUY', type: 'LIMIT' } as const;

describe('an exchange in lockstep', () => {
  it('fills the same orders as the venue of a backtest, for any decisions and latencies', async () => {
    let fills = 0;
    await fc.assert(
      fc.asyncProperty(
        decisions,
        fc.constantFrom({ min: 0, max: 0 }, { min: 250, max: 250 }, { min: 0, max: 90_000 }),
        async (made, range) => {
          const expected = runAtVenue(made, latencyOf(range), UNTIL);

          expect(await runInLockstep(made, latencyOf(range), UNTIL)).toEqual(expected);
          fills += expected.fills.length;
        },
      ),
      { numRuns: 40 },
    );
    expect(fills).toBeGreaterThan(100);
  });

  it('advances to an instant without opening its candle, and opens it with the first command', async () => {
    const test = start();
    const row = (MARKET_START - FIRST_CANDLE) / MINUTE_MS;
    const { open, close } = testCandles();
    const lastOf = async (): Promise<unknown> =>
      (await test.call('spot.ticker', { symbol: 'BTCUSDT' })).json;
    const klines = async (): Promise<unknown> =>
      (await test.call('spot.klines', { symbol: 'BTCUSDT', interval: '1min', limit: 2 })).json;

    const moved = await test.control('POST', '/advance', { to: MARKET_START + MINUTE_MS });

    expect(moved.json).toMatchObject({ marketTime: MARKET_START + MINUTE_MS, opened: false });
    expect(await lastOf()).toMatchObject({ last: close[row] });
    // Until its first trade the next candle stands at the last close. The candle before it is final.
    expect(await klines()).toMatchObject([
      { idx: MARKET_START + MINUTE_MS, open: close[row], close: close[row], vol: 0 },
      { idx: MARKET_START, open: open[row], close: close[row] },
    ]);

    await test.call('spot.order', { ...BUY, price: '100' });

    expect(await lastOf()).toMatchObject({ last: open[row + 1] });
    expect(await klines()).toMatchObject([{ open: open[row + 1] }, { close: close[row] }]);
    expect((await test.control('GET', '/state')).json).toMatchObject({ opened: true });
  });

  it('advances to any millisecond, and returns the time of the next possible event', async () => {
    const test = start();
    const advance = async (to: number): Promise<Record<string, unknown>> =>
      (await test.control('POST', '/advance', { to })).json as Record<string, unknown>;

    expect(await advance(MARKET_START + 12_345)).toMatchObject({
      marketTime: MARKET_START + 12_345,
      opened: false,
      next: { time: MARKET_START + 12_345 },
    });
    const opened = await advance(MARKET_START + 12_345);
    const close = MARKET_START + MINUTE_MS;
    expect(opened).toMatchObject({ opened: true, next: { candle: close, venue: close } });
    expect(opened).toMatchObject({ next: { time: close, arrival: null, poll: null } });

    const past = await test.control('POST', '/advance', { to: MARKET_START });
    expect(past.json).toMatchObject({ error: { code: 'E_LOCKSTEP' } });
  });

  it('refuses an instant whose local time has no form of its own, and changes nothing', async () => {
    const test = start();

    for (const to of [Date.UTC(10_000, 0, 1), Number.MAX_SAFE_INTEGER]) {
      const late = await test.control('POST', '/advance', { to });
      expect([late.status, late.json]).toMatchObject([
        400,
        {
          error: {
            code: 'E_LOCKSTEP',
            message: expect.stringContaining('+010000-01-01') as string,
          },
        },
      ]);
    }

    expect((await test.control('GET', '/state')).json).toMatchObject({ marketTime: MARKET_START });
  });

  it('fills an order at its own instant, and returns the time of the poll that reports the fill', async () => {
    const test = start();
    const row = (MARKET_START - FIRST_CANDLE) / MINUTE_MS;
    const price = ((testCandles().high[row] ?? 0) - 0.02).toFixed(2);
    await test.call('spot.order', { ...BUY, side: 'SELL', price });

    const state = (await test.control('GET', '/state')).json as { next: { time: number } };
    const fillTime = state.next.time;
    expect(fillTime).toBeGreaterThan(MARKET_START);
    expect(fillTime).toBeLessThan(MARKET_START + MINUTE_MS);
    const moved = await test.control('POST', '/advance', { to: fillTime });

    const account = test.exchange.parts.accounts.byUser('10001')?.account;
    expect(account?.trades(SPOT_ID, fillTime)).toMatchObject([{ time: fillTime }]);
    const poll = Math.ceil(fillTime / 2_000) * 2_000;
    expect(moved.json).toMatchObject({ next: { poll } });
    await test.control('POST', '/advance', { to: poll });
    expect((await test.control('GET', '/state')).json).toMatchObject({ next: { poll: null } });
  });

  it('delays commands in market time, and answers after their arrival', async () => {
    const test = start({ latency: latencyOf({ min: 250, max: 250 }) });
    let answer: unknown;
    const sent = test.call('spot.order', { ...BUY, price: '100' }).then(({ json }) => {
      answer = json;
    });
    await new Promise((resolve) => {
      setImmediate(resolve);
    });

    const state = await test.control('GET', '/state');
    expect(state.json).toMatchObject({ traveling: 1, next: { arrival: MARKET_START + 250 } });
    await test.control('POST', '/advance', { to: MARKET_START + 250 });
    expect(answer).toBeUndefined();
    await test.control('POST', '/advance', { to: MARKET_START + 250 });
    await sent;

    expect(answer).toMatchObject({ transactTime: MARKET_START + 250 });
    expect((await test.control('GET', '/state')).json).toMatchObject({ traveling: 0 });
  });

  it('shows the configured clock, that of the market or that of the transport', async () => {
    const transport = new VirtualTime(Date.UTC(2026, 5, 1));
    const shown = start({ transport });
    const market = start({ transport, shownClock: 'market' });
    const plain = startTestExchange({ transport });

    expect((await shown.call('spot.time', {})).json).toMatchObject({ serverTime: transport.now() });
    expect((await market.call('spot.time', {})).json).toMatchObject({ serverTime: MARKET_START });
    expect((await plain.call('futures.time', {})).json).toMatchObject({ serverTime: MARKET_START });
    // Calls are signed with the transport's time, both while the market stands and after it has moved on by a day.
    await shown.control('POST', '/advance', { byMs: 24 * 60 * MINUTE_MS });
    expect((await shown.call('spot.account', {})).status).toBe(200);
  });
});
