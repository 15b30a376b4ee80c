import { describe, expect, it } from 'vitest';

import { readTerms, type SimulationConfig } from '../../../../src/assembly/index.js';
import { PaperVenue } from '../../../../src/assembly/bot/paper-venue.js';
import {
  HOUR_MS,
  MINUTE_MS,
  parseFixed,
  type Candle,
  type ClientOrderId,
  type OrderRequest,
  type RiskApproved,
} from '../../../../src/domain/index.js';
import type { Command, EngineEvent } from '../../../../src/engine/index.js';
import { isOrderUpdate, type VenueUpdate } from '../../../../src/venue/index.js';
import { aBacktestConfig, constantLatency } from '../../../support/backtest-config.js';
import { aContractMarket, BTC_PERPETUAL, describeAny } from '../../../support/futures-venue.js';
import { createMemoryArchive } from '../../../support/memory-archive.js';
import { aLimitRequest, aMarketRequest } from '../../../support/order-requests.js';
import { BTC_USDT, describeUpdate, START } from '../../../support/spot-venue.js';

const SPOT = BTC_USDT.id;

async function aPaperVenue(simulation: Partial<SimulationConfig> = {}): Promise<PaperVenue> {
  const config = aBacktestConfig({
    instrumentId: SPOT,
    interval: '1min',
    simulation: {
      balances: {
        spot: new Map([
          ['USDT', parseFixed('10000')],
          ['BTC', parseFixed('10')],
        ]),
      },
      ...simulation,
    },
  });
  return new PaperVenue(config, await readTerms(config, createMemoryArchive([])));
}

/** A contract, with funding every eight hours. */
async function aPaperContract(): Promise<PaperVenue> {
  const { id, symbol, multiplier } = BTC_PERPETUAL;
  const config = aBacktestConfig({
    instrumentId: id,
    interval: '1min',
    simulation: {
      balances: { futures: new Map([['USDT', parseFixed('10000')]]) },
      rules: new Map([[id, { tradable: true, pricePrecision: 2, quantityPrecision: 0 }]]),
    },
  });
  const contract = {
    ...config,
    instruments: [
      {
        kind: 'futures' as const,
        instrumentId: id,
        symbol,
        base: 'BTC',
        quote: 'USDT',
        intervals: ['1min' as const],
        contract: 'linear' as const,
        multiplier,
        leverage: parseFixed('10'),
        marginMode: 'isolated' as const,
      },
    ],
  };
  return new PaperVenue(contract, await readTerms(contract, createMemoryArchive([])));
}

const price = (at: number, last: string, instrumentId = SPOT): EngineEvent => ({
  kind: 'ticker',
  time: START + at,
  instrumentId,
  last: parseFixed(last),
});
const timer = (at: number): EngineEvent => ({ kind: 'timer', time: START + at });
const submit = (order: OrderRequest): Command => ({
  kind: 'submit',
  order: order as RiskApproved<OrderRequest>,
});
const cancel = (id: string): Command => ({
  kind: 'cancel',
  clientOrderId: id as ClientOrderId,
  instrumentId: SPOT,
});
const candle = (minute: number, low: number): EngineEvent => {
  const openTime = START + minute * MINUTE_MS;
  const closed: Candle = {
    instrumentId: SPOT,
    interval: '1min',
    openTime,
    closeTime: openTime + MINUTE_MS,
    open: 100,
    high: 100,
    low,
    close: 100,
    volume: 10,
  };
  return { kind: 'candles', time: closed.closeTime + 100, candles: [closed] };
};
const newsOf = (venue: PaperVenue, at: number): readonly string[] =>
  venue
    .news(START + at)
    .map((update) => (isOrderUpdate(update) ? describeUpdate(update) : describeAny(update)));

describe('PaperVenue', () => {
  it('fills an order at the first price after it, and reports the fill at once', async () => {
    const venue = await aPaperVenue();

    venue.take(price(1_000, '100'), [submit(aMarketRequest())]);
    expect(venue.awaitsPrice(SPOT)).toBe(true);
    expect(venue.nextNews()).toBe(Number.POSITIVE_INFINITY);
    venue.take(price(2_500, '99'), []);

    expect(venue.awaitsPrice(SPOT)).toBe(false);
    expect(venue.nextNews()).toBe(START + 2_500);
    expect(newsOf(venue, 2_500)).toEqual(['+2500 fill order-1 1 @ 99 taker, done']);
    // Each update comes once.
    expect(newsOf(venue, 9_000)).toEqual([]);
    expect(venue.isTold).toBe(false);
  });

  it('reports the fill of a resting order at the next poll of orders', async () => {
    const venue = await aPaperVenue({ updatePollMs: 2_000 });
    venue.take(price(1_000, '100'), [submit(aLimitRequest({ limitPrice: '99' }))]);
    venue.take(price(2_000, '100'), []);
    expect(newsOf(venue, 2_000)).toEqual(['+2000 accepted order-1']);

    venue.take(price(4_300, '98'), []);

    expect(venue.nextNews()).toBe(START + 6_000);
    expect(newsOf(venue, 5_999)).toEqual([]);
    expect(newsOf(venue, 6_000)).toEqual(['+4300 fill order-1 1 @ 99 maker, done']);
  });

  it('reports an earlier fill of an order together with the answer to its cancel', async () => {
    const venue = await aPaperVenue({ updatePollMs: 60_000, participation: parseFixed('0.1') });
    venue.take(candle(-2, 100), [submit(aLimitRequest({ limitPrice: '99', quantity: '2' }))]);
    venue.take(price(-59_000, '100'), []);
    expect(newsOf(venue, -59_000)).toEqual(['+-59000 accepted order-1']);
    venue.take(price(-20_000, '98'), []);

    venue.take(price(-19_000, '98'), [cancel('order-1')]);

    expect(newsOf(venue, -19_000)).toEqual([
      '+-20000 fill order-1 1 @ 99 maker',
      '+-19000 ended order-1 canceled on-request',
    ]);
  });

  it('delays commands by the latency, and returns the next arrival time', async () => {
    const venue = await aPaperVenue({ latency: constantLatency(700) });
    venue.take(price(1_000, '100'), [submit(aLimitRequest({ limitPrice: '99' }))]);
    expect(venue.nextDue()).toBe(START + 1_700);

    // The order is still on its way when this price is polled.
    venue.take(price(1_600, '98'), []);
    venue.take(price(2_000, '97'), []);
    venue.take(timer(2_100), [cancel('order-1')]);
    venue.take(timer(2_800), []);

    expect(newsOf(venue, 2_800)).toEqual([
      '+2000 fill order-1 1 @ 97 taker, done',
      '+2800 cancel-rejected order-1 -2013',
    ]);
  });

  it('waits for the next price after a candle, since the candle brings new volume', async () => {
    const venue = await aPaperVenue();
    venue.take(price(1_000, '100'), []);
    expect(venue.awaitsPrice(SPOT)).toBe(false);

    venue.take(candle(0, 99), []);

    expect(venue.awaitsPrice(SPOT)).toBe(true);
  });

  it('accepts an update of a journal only if it equals its own update', async () => {
    const [venue, again] = [await aPaperVenue(), await aPaperVenue()];
    const steps: readonly (readonly [EngineEvent, readonly Command[]])[] = [
      [price(1_000, '100'), [submit(aMarketRequest())]],
      [price(2_000, '99'), []],
    ];
    for (const [event, commands] of steps) {
      venue.take(event, commands);
      again.take(event, commands);
    }
    const [update] = venue.news(START + 2_000);
    const told = (other: VenueUpdate): EngineEvent => ({
      kind: 'venue',
      time: START + 2_000,
      update: other,
    });
    if (update?.kind !== 'fill') throw new Error('expected a fill');
    const cheaper = { ...update, fill: { ...update.fill, price: parseFixed('98') } };

    // A journal returns an equal update, not the same object.
    const difference = again.take(told(cheaper), []);
    expect(again.take(told({ ...update }), [])).toBeUndefined();
    expect(again.isTold).toBe(true);

    expect(difference?.expected).toContain('"price":"98"');
    expect(difference?.received).toContain('"price":"99"');
    expect(again.take(told(update), [])?.received).toBe('no news of the venue');
  });

  it('counts the due funding of a position, also when it is replayed from a journal', async () => {
    const [venue, again] = [await aPaperContract(), await aPaperContract()];
    const { id } = BTC_PERPETUAL;
    const steps: readonly (readonly [EngineEvent, readonly Command[]])[] = [
      [price(8 * HOUR_MS - 2_000, '100', id), [submit(aContractMarket())]],
      [price(8 * HOUR_MS + 1_000, '100', id), []],
    ];
    for (const [event, commands] of steps) {
      venue.take(event, commands);
      again.take(event, commands);
    }
    for (const update of venue.news(START + 8 * HOUR_MS + 1_000)) {
      const event: EngineEvent = { kind: 'venue', time: START + 8 * HOUR_MS + 1_000, update };
      venue.take(event, []);
      again.take(event, []);
    }
    // The position was opened after the boundary at 8 h, so no funding is due for it.
    expect(venue.fundingsDue(id, START + 16 * HOUR_MS - 1)).toBe(0);
    expect(venue.fundingsDue(id, START + 24 * HOUR_MS)).toBe(2);

    const time = START + 24 * HOUR_MS;
    const paid = { rate: parseFixed('0.001'), markPrice: parseFixed('90') };
    const update = venue.settleFunding(id, paid, time);
    venue.take({ kind: 'venue', time, update }, []);

    expect(describeAny(update)).toBe(`+${String(24 * HOUR_MS)} funding long -0.009 USDT at 90`);
    expect(venue.fundingsDue(id, time)).toBe(0);
    expect(again.take({ kind: 'venue', time, update: { ...update } }, [])).toBeUndefined();
    expect(again.fundingsDue(id, time)).toBe(0);
    expect(again.balances()).toEqual(venue.balances());
  });
});
