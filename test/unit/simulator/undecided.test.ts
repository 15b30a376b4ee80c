import { describe, expect, it } from 'vitest';

import { formatFixed, parseFixed, type Direction } from '../../../src/domain/index.js';
import type { SimulatedVenue } from '../../../src/simulator/index.js';
import {
  aContractLimit,
  aContractMarket,
  aFuturesVenue,
  BTC_PERPETUAL,
} from '../../support/futures-venue.js';
import { aLimitRequest, aMarketRequest } from '../../support/order-requests.js';
import {
  aVenue,
  BTC_USDT,
  play,
  START,
  type ObservedVenue,
  type ScriptStep,
  type VenueCandle,
} from '../../support/spot-venue.js';

/** From 98 to 103, with room for levels on both sides of its open. */
const WIDE: VenueCandle = { path: [100, 103, 98, 101] };

const buy = (limitPrice: string): ScriptStep => ({
  at: 0,
  submit: aLimitRequest({ id: `buy ${limitPrice}`, limitPrice }),
});
const sell = (limitPrice: string): ScriptStep => ({
  at: 0,
  submit: aLimitRequest({ id: `sell ${limitPrice}`, side: 'sell', limitPrice }),
});

function undecided(
  script: readonly ScriptStep[],
  candles: readonly VenueCandle[] = [WIDE],
): number {
  const observed = aVenue({ candles });
  play(observed, script, candles.length * 60_000);
  return observed.venue.undecided().count;
}

describe('undecided candles', () => {
  it.each<readonly [string, number, readonly ScriptStep[]]>([
    ['not without orders', 0, []],
    ['not by one level', 0, [buy('99')]],
    ['not by levels on one side of its open', 0, [buy('99'), buy('98.5')]],
    ['by levels inside it on both sides of its open', 1, [buy('99'), sell('102')]],
    ['not by a level outside it', 0, [buy('97'), sell('102')]],
    ['not by a level that it only touches without a fill', 0, [buy('98'), sell('102')]],
    ['by a level that it just reaches', 1, [buy('98.01'), sell('102.99')]],
    ['not by an order at its open', 0, [{ at: 0, submit: aMarketRequest() }]],
    ['by an order inside it', 1, [{ at: 1, submit: aMarketRequest() }]],
    [
      'not by an order at its close, which is after it',
      0,
      [{ at: 60_000, submit: aMarketRequest() }],
    ],
    [
      'by an order inside it that is rejected',
      1,
      [{ at: 1, submit: aMarketRequest({ quantity: '99' }) }],
    ],
    [
      'by a cancel inside it of an order that it could reach',
      1,
      [buy('99'), { at: 5, cancel: 'buy 99' }],
    ],
    ['not by a cancel inside it of an order far away', 0, [buy('50'), { at: 5, cancel: 'buy 50' }]],
    ['not by a cancel at its open', 0, [buy('99'), { at: 0, cancel: 'buy 99' }]],
  ])('a candle is undecided: %s', (_name, expected, script) => {
    expect(undecided(script)).toBe(expected);
  });

  it('a candle is undecided only if its own range reaches levels of resting orders', () => {
    const flat: VenueCandle = { path: [100, 100, 100, 100] };
    const untouched: VenueCandle = { path: [100, 100.5, 99.5, 100] };

    expect(undecided([buy('99'), sell('102')], [flat, untouched, WIDE, flat])).toBe(1);
  });

  it('a candle is counted while it is still open', () => {
    const observed = aVenue({ candles: [WIDE] });
    play(observed, [{ at: 10, submit: aMarketRequest() }], 20);

    expect(observed.venue.undecided().count).toBe(1);
  });

  it('a candle is counted once, also when time skips over its end', () => {
    const observed = aVenue({ candles: [WIDE, WIDE] });
    play(observed, [{ at: 10, submit: aMarketRequest() }], 20);

    observed.venue.skipTo(START + 90_000);
    observed.venue.skipTo(Number.MAX_SAFE_INTEGER);

    expect(observed.venue.undecided().count).toBe(1);
  });
});

function money(venue: SimulatedVenue): readonly (readonly [string, string])[] {
  return [...venue.undecided().money].map(([quote, amount]) => [quote, formatFixed(amount)]);
}

describe('the money and spans of undecided candles', () => {
  /** An order of 1 that arrives inside a candle, when last is 99.999. */
  const inside: ScriptStep = { at: 10, submit: aLimitRequest({ limitPrice: '90' }) };

  it.each([
    ['while the candle is open', 20],
    ['when it has closed', 60_000],
    ['when the next has closed, too', 120_000],
  ])('are the same %s', (_when, until) => {
    const { venue } = aVenue({ candles: [WIDE, WIDE] });
    play({ venue }, [inside], until);

    expect(money(venue)).toEqual([['USDT', '99.999']]);
    expect(venue.undecided().spans).toEqual(
      new Map([[BTC_USDT.id, { opens: [START], closes: [START + 60_000] }]]),
    );
  });

  it('are counted once when trading continues after the last close', () => {
    const { venue } = aVenue({ candles: [WIDE] });
    play({ venue }, [inside], 60_000);

    venue.reopenAtLastClose(START + 60_000);

    expect(venue.undecided().count).toBe(1);
    expect(money(venue)).toEqual([['USDT', '99.999']]);
  });
});

describe('a position that may be liquidated', () => {
  it('is at stake once, also if the venue looks at its candle again', () => {
    const observed = aFuturesVenue({
      contracts: [{ instrument: BTC_PERPETUAL, candles: [{ path: [100, 103, 85, 101] }] }],
    });
    const common = { instrumentId: BTC_PERPETUAL.id, side: 'buy' } as const;
    const bid = aContractLimit({ ...common, id: 'bid', quantity: '100', limitPrice: '97' });
    play(
      observed,
      [
        { at: 0, submit: aContractMarket({ ...common, quantity: '100' }) },
        { at: 1, submit: bid },
      ],
      60_000,
    );

    // The bid arrives at 100.00015 and fills at 97. Then 2 BTC are held, and are liquidated before the low.
    const money = observed.venue.undecided().money.get('USDT');
    expect(formatFixed(money ?? 0n)).toBe('367.00015');
  });
});

describe('a stop that the engine watches', () => {
  function withStops(
    candle: VenueCandle,
    ...stops: readonly { level: string; trailsFrom?: string; direction?: Direction }[]
  ): ObservedVenue {
    const observed = aVenue({ candles: [candle] });
    play(observed, [], 0);
    for (const { level, trailsFrom, direction = 'long' } of stops) {
      observed.venue.noteStop(BTC_USDT.id, {
        direction,
        level: parseFixed(level),
        quantity: parseFixed('2'),
        trailsFrom: trailsFrom === undefined ? undefined : parseFixed(trailsFrom),
      });
    }
    return observed;
  }

  // A steeper path would reach the level at another sample, so the position would close at another price.
  it('makes a candle undecided as its only level', () => {
    expect(withStops(WIDE, { level: '99' }).venue.undecided().count).toBe(1);
  });

  it('does not make a candle undecided that does not reach its level', () => {
    expect(withStops(WIDE, { level: '97.99' }).venue.undecided().count).toBe(0);
  });

  it('makes a candle undecided together with a level on the other side', () => {
    const observed = withStops(WIDE, { level: '99' });
    observed.venue.submit(aLimitRequest({ side: 'sell', limitPrice: '102' }), START);

    expect(observed.venue.undecided().count).toBe(1);
  });

  it.each([
    // Best price 100, level 96: if the high of 103 comes first, it moves the level to 99, above the low.
    ['makes it undecided when the high moves it above the low', '96', '100', 1],
    // A high of 103 moves the level to 97.99 at most.
    ['leaves it decided when even the high does not move it up to the low', '94.99', '100', 0],
    ['leaves it decided when the high is no new best', '96', '103', 0],
  ])('%s', (_name, level, trailsFrom, expected) => {
    expect(withStops(WIDE, { level, trailsFrom }).venue.undecided().count).toBe(expected);
  });

  it('works the other way round for a short position', () => {
    const short = (level: string, trailsFrom: string): number =>
      withStops(WIDE, { level, trailsFrom, direction: 'short' }).venue.undecided().count;

    // A low of 98 moves the level down by 2.
    expect(short('105', '100')).toBe(1);
    expect(short('105.01', '100')).toBe(0);
    expect(short('104', '98')).toBe(0);
  });

  it('puts the value of its position at stake, once for any number of moves', () => {
    const { venue } = withStops(
      WIDE,
      { level: '99', trailsFrom: '102' },
      { level: '98.5', trailsFrom: '101.5' },
    );

    // The quantity of 2 at 99.
    expect(money(venue)).toEqual([['USDT', '198']]);
  });

  it('puts nothing at stake if its level is not reached', () => {
    const { venue } = withStops(WIDE, { level: '90' });
    venue.submit(aLimitRequest({ limitPrice: '99' }), START);
    venue.submit(aLimitRequest({ id: 'other', limitPrice: '98.5' }), START + 1);

    // Two orders of 1 at 99 and 98.5, and 1 more at 99.9999: the second order arrives inside the candle, at this last price.
    expect(money(venue)).toEqual([['USDT', '297.4999']]);
  });

  it('does not count while no candle is open', () => {
    const observed = aVenue({ candles: [WIDE] });
    play(observed, [], 60_000);

    observed.venue.noteStop(BTC_USDT.id, {
      direction: 'long',
      level: 1n,
      quantity: 1n,
      trailsFrom: 2n,
    });

    expect(observed.venue.undecided().count).toBe(0);
  });
});
