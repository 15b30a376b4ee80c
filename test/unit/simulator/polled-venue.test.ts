import { describe, expect, it } from 'vitest';

import {
  MINUTE_MS,
  parseFixed,
  RuleBook,
  SECOND_MS,
  TierBook,
  type Candle,
  type ClientOrderId,
  type FuturesInstrument,
  type Instrument,
} from '../../../src/domain/index.js';
import { PolledVenue } from '../../../src/simulator/index.js';
import { isOrderUpdate, type VenueUpdate } from '../../../src/venue/index.js';
import { aContractMarket, aTier, BTC_PERPETUAL, describeAny } from '../../support/futures-venue.js';
import { aLimitRequest, aMarketRequest } from '../../support/order-requests.js';
import { BTC_USDT, describeUpdate, START, termsOf } from '../../support/spot-venue.js';

interface Setup {
  readonly instrument?: Instrument;
  readonly participation?: string;
}

/** A polled venue, with times in ms after the start. `lines` holds one line per update. */
class Driven {
  readonly lines: string[] = [];
  readonly instrument: Instrument;
  readonly venue: PolledVenue;

  constructor({ instrument = BTC_USDT, participation }: Setup = {}) {
    this.instrument = instrument;
    const rules = new RuleBook();
    const isFutures = instrument.kind === 'futures';
    rules.set(instrument.id, [
      {
        from: 0,
        rules: { tradable: true, pricePrecision: 2, quantityPrecision: isFutures ? 0 : 3 },
      },
    ]);
    const tiers = new TierBook();
    tiers.set(instrument.id, [{ from: 0, tiers: [aTier('0.02', '20')] }]);
    this.venue = new PolledVenue({
      ...termsOf({ ...(participation !== undefined && { participation }) }),
      instruments: [{ instrument, interval: '1min', pricePrecision: 2 }],
      rules,
      balances: {
        [instrument.kind]: new Map([
          ['USDT', parseFixed('10000')],
          ['BTC', parseFixed('10')],
        ]),
      },
      futures: { tiers, positionMode: 'hedge' },
      onUpdate: (update: VenueUpdate) => {
        const isPair = isOrderUpdate(update) && instrument.kind !== 'futures';
        this.lines.push(isPair ? describeUpdate(update) : describeAny(update));
      },
    });
  }

  price(at: number, last: string): this {
    this.venue.passTo(START + at);
    this.venue.takePrice(this.instrument.id, parseFixed(last), START + at);
    return this;
  }

  /** Gives the venue the candle of a minute, `lateMs` after its end. */
  candle(minute: number, shape: Partial<Candle> = {}, lateMs = 100): this {
    const openTime = START + minute * MINUTE_MS;
    const closeTime = openTime + MINUTE_MS;
    const numbers = { open: 100, high: 100, low: 100, close: 100, volume: 1_000, ...shape };
    this.venue.passTo(closeTime + lateMs);
    const candle: Candle = {
      instrumentId: this.instrument.id,
      interval: '1min',
      openTime,
      closeTime,
      ...numbers,
    };
    this.venue.takeCandle(candle, closeTime + lateMs);
    return this;
  }

  submit(at: number, request: Parameters<PolledVenue['submit']>[0]): this {
    this.venue.passTo(START + at);
    this.venue.submit(request, START + at);
    return this;
  }

  cancel(at: number, id: string): this {
    this.venue.passTo(START + at);
    this.venue.cancel(id as ClientOrderId, START + at);
    return this;
  }
}

const aDrivenContract = (): Driven => {
  const instrument: FuturesInstrument = { ...BTC_PERPETUAL, marginMode: 'isolated' };
  return new Driven({ instrument });
};

describe('a polled venue', () => {
  it('fills an order at the first price after its arrival, not at an earlier price', () => {
    const driven = new Driven().price(1_000, '100').submit(1_500, aMarketRequest());

    expect(driven.lines).toEqual([]);
    driven.price(2_000, '99.5');

    expect(driven.lines).toEqual(['+2000 fill order-1 1 @ 99.5 taker, done']);
  });

  it('fills a resting order at its limit when a price is a tick beyond it', () => {
    const driven = new Driven()
      .price(1_000, '100')
      .submit(1_100, aLimitRequest({ limitPrice: '99' }));

    driven.price(2_000, '100').price(3_000, '99').price(4_000, '98.5');

    expect(driven.lines).toEqual([
      '+2000 accepted order-1',
      '+4000 fill order-1 1 @ 99 maker, done',
    ]);
  });

  it('does not fill at levels between two polled prices', () => {
    const driven = new Driven()
      .price(1_000, '100')
      .submit(1_100, aLimitRequest({ limitPrice: '99' }));

    driven.price(2_000, '100').price(3_000, '101').price(4_000, '99.5');

    expect(driven.lines).toEqual(['+2000 accepted order-1']);
  });

  it('fills an order that rested through a whole candle on the extremes of that candle', () => {
    const driven = new Driven()
      .price(1_000, '100')
      .submit(1_100, aLimitRequest({ limitPrice: '99' }))
      .price(2_000, '100');

    // The order arrived inside the first candle, so the extremes of this candle may be earlier.
    driven.candle(0, { low: 98 }).candle(1, { low: 99 }).candle(2, { low: 98.99 });

    expect(driven.lines).toEqual([
      '+2000 accepted order-1',
      `+${String(3 * MINUTE_MS + 100)} fill order-1 1 @ 99 maker, done`,
    ]);
  });

  it('does not count a candle of another interval as one that passed while an order rested', () => {
    const driven = new Driven()
      .price(-1_000, '100')
      .submit(-900, aLimitRequest({ limitPrice: '99' }))
      .price(-500, '100');

    driven.candle(0, { low: 98, interval: '5min' });

    expect(driven.lines).toEqual(['+-500 accepted order-1']);
  });

  it('shares the volume of the last known candle until the next candle is known', () => {
    const driven = new Driven({ participation: '0.1' })
      .price(-500, '100')
      .candle(-1, { volume: 10 });

    // A tenth of 10 BTC is 1 BTC. A fill at one price reduces the volume that is left for the next price.
    driven
      .submit(200, aMarketRequest({ id: 'a', quantity: '0.4' }))
      .submit(300, aMarketRequest({ id: 'b', quantity: '0.4' }))
      .price(1_000, '100')
      .submit(1_500, aMarketRequest({ id: 'c', quantity: '0.4' }))
      .price(2_000, '101')
      .candle(0, { volume: 10 })
      .submit(61_000, aMarketRequest({ id: 'd', quantity: '0.4' }))
      .price(62_000, '102');

    expect(driven.lines).toEqual([
      '+1000 fill a 0.4 @ 100 taker, done',
      '+1000 fill b 0.4 @ 100 taker, done',
      '+2000 fill c 0.2 @ 101 taker',
      '+2000 ended c canceled not-at-once',
      '+62000 fill d 0.4 @ 102 taker, done',
    ]);
  });

  it('fills on the extremes of a candle only with the volume that its prices left', () => {
    const driven = new Driven({ participation: '0.1' })
      .price(-500, '100')
      .candle(-1, { volume: 10 });
    driven
      .submit(-300, aLimitRequest({ id: 'rest', limitPrice: '99', quantity: '2' }))
      .price(-200, '100')
      .submit(500, aMarketRequest({ id: 'sale', quantity: '0.7' }))
      .price(1_000, '100');

    driven.candle(0, { low: 98, volume: 12 });

    expect(driven.lines.slice(1)).toEqual([
      '+1000 fill sale 0.7 @ 100 taker, done',
      // 1.2 BTC less 0.7.
      '+60100 fill rest 0.5 @ 99 maker',
    ]);
  });

  describe('with the rest of an order that was marketable on arrival', () => {
    /** An order of 1 BTC takes 0.4 BTC at once: a tenth of the volume of the candle before. */
    const waiting = (): Driven =>
      new Driven({ participation: '0.1' })
        .price(-500, '100')
        .candle(-1, { volume: 4 })
        .submit(200, aLimitRequest({ limitPrice: '110' }))
        .price(1_000, '100');
    const taken = ['+1000 accepted order-1', '+1000 fill order-1 0.4 @ 100 taker'];

    it('takes at the first price after the candle, not at its extremes', () => {
      const driven = waiting().price(2_000, '90').candle(0, { high: 120, low: 80, volume: 100 });

      expect(driven.lines).toEqual(taken);
      expect(driven.price(62_000, '90.5').lines.slice(2)).toEqual([
        '+62000 fill order-1 0.6 @ 90.5 taker, done',
      ]);
    });

    it('fills as a maker after a price at which the order was not marketable', () => {
      const driven = waiting()
        .price(2_000, '110.01')
        .candle(0, { volume: 100 })
        .price(62_000, '90.5');

      expect(driven.lines.slice(2)).toEqual(['+62000 fill order-1 0.6 @ 110 maker, done']);
    });
  });

  it('cancels waiting and resting orders at once', () => {
    const driven = new Driven()
      .price(1_000, '100')
      .submit(1_100, aLimitRequest({ id: 'rests', limitPrice: '99' }))
      .price(2_000, '100')
      .submit(2_100, aMarketRequest({ id: 'waits' }));

    driven.cancel(2_200, 'waits').cancel(2_300, 'rests').price(3_000, '90');

    expect(driven.lines).toEqual([
      '+2000 accepted rests',
      '+2200 accepted waits',
      '+2200 ended waits canceled on-request',
      '+2300 ended rests canceled on-request',
    ]);
  });

  it('delays orders to the first price, and fills nothing on candles before it', () => {
    const driven = new Driven().submit(0, aMarketRequest()).candle(0, { low: 90 });

    expect(driven.lines).toEqual([]);
    expect(driven.price(61_000, '99').lines).toEqual(['+61000 fill order-1 1 @ 99 taker, done']);
  });

  it('ignores a second price at the same time', () => {
    const driven = new Driven().price(1_000, '100').submit(1_000, aMarketRequest());

    expect(driven.price(1_000, '99').lines).toEqual([]);
    expect(driven.price(1_001, '99').lines).toEqual(['+1001 fill order-1 1 @ 99 taker, done']);
  });

  it('fills orders correctly over 5,000 prices', () => {
    const driven = new Driven();
    for (let second = 1; second <= 5_000; second += 1) {
      if (second % 999 === 0)
        driven.submit(second * SECOND_MS - 1, aMarketRequest({ id: String(second) }));
      driven.price(second * SECOND_MS, String(100 + (second % 7)));
    }

    expect(driven.lines).toEqual(
      [999, 1998, 2997, 3996, 4995].map(
        (second) =>
          `+${String(second * SECOND_MS)} fill ${String(second)} 1 @ ${String(100 + (second % 7))} taker, done`,
      ),
    );
  });

  it('liquidates at the first price after a mark that leaves too little margin', () => {
    const driven = aDrivenContract();
    const { id } = driven.instrument;
    // 10 contracts of 0.01 BTC for 10 USDT at 100, with 10x: 1 USDT of margin.
    driven.price(0, '100').submit(100, aContractMarket()).price(1_000, '100');
    driven.venue.takeMark(id, 95, START + 1_500);
    driven.price(2_000, '91');
    driven.venue.takeMark(id, 91, START + 2_500);
    driven.price(3_000, '91.5');

    expect(driven.lines).toEqual([
      '+1000 fill order-1 10 @ 100 taker, done [open]',
      '+3000 forced-fill liquidation sell 10 @ 91.5 fee 0',
    ]);
    expect(driven.venue.holds(id)).toBe(false);
  });

  it('settles funding on the open position at the given rate and mark', () => {
    const driven = aDrivenContract();
    const { id } = driven.instrument;
    driven.price(0, '100').submit(100, aContractMarket()).price(1_000, '100');

    const terms = { rate: parseFixed('0.001'), markPrice: parseFixed('90') };
    driven.venue.settleFunding(id, { ...terms, time: START + 5_000 });

    // 10 × 0.01 × 90 × 0.001 = 0.009
    expect(driven.lines.at(-1)).toBe('+5000 funding long -0.009 USDT at 90');
  });
});
